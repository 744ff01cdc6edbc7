import { createHash } from 'node:crypto';
import { ToolSearchError } from './tool-search.error.js';

/** Names the library keeps for its own meta tools; no source may bring a tool of that name. */
export const META_TOOL_NAMES = ['tool_search', 'tool_get', 'tool_load', 'tool_call'] as const;

/** A legal canonical name, as MCP has it: 1 to 128 of letters, digits, `_`, `-`, `.`. */
const LEGAL = /^[A-Za-z0-9_.-]{1,128}$/;

/** Whether a string is a legal canonical tool name. */
export function isLegalName(name: string): boolean {
  return LEGAL.test(name);
}

/** `namespace.tool`; a namespace of `''` adds nothing. */
export function canonicalName(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}.${name}`;
}

/**
 * A name as a hurried reader takes it: compatible characters as one, without case, runs of `.`, `_` and `-` as one and none
 * at the ends. Two names that fold alike are one name to whoever is to be deceived.
 */
export function foldedName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[._-]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/**
 * Matches a name against a glob in which `*` stands for any characters, dots included, and `?` for one.
 * Linear in practice and without backtracking beyond the last star, so a hostile pattern stays harmless.
 */
export function globMatches(glob: string, name: string): boolean {
  let g = 0;
  let n = 0;
  let star = -1;
  let retry = 0;
  while (n < name.length) {
    if (g < glob.length && glob[g] === '*') {
      star = g++;
      retry = n;
    } else if (g < glob.length && (glob[g] === '?' || glob[g] === name[n])) {
      g++;
      n++;
    } else if (star >= 0) {
      g = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  while (glob[g] === '*') g++;
  return g === glob.length;
}

/** The test of {@link globMatches}, made ready for many names: what stands between the stars is looked for as a whole. */
export function globTest(glob: string): (name: string) => boolean {
  if (glob.includes('?')) {
    // Hardly any name holds the longest plain part, and to look for that is cheap.
    const [longest = ''] = glob.split(/[*?]/).toSorted((a, b) => b.length - a.length);
    return (name) => name.includes(longest) && globMatches(glob, name);
  }
  const [first = '', ...middle] = glob.split('*');
  const last = middle.pop();
  if (last === undefined) return (name) => name === glob;
  return (name) => {
    const end = name.length - last.length;
    let from = first.length;
    if (end < from || !name.startsWith(first) || !name.endsWith(last)) return false;
    for (const part of middle) {
      const at = name.indexOf(part, from);
      if (at < 0 || at + part.length > end) return false;
      from = at + part.length;
    }
    return true;
  };
}

/** A test for many globs at once; plain names cost one set lookup. */
export function globSet(globs: readonly string[]): (name: string) => boolean {
  const exact = new Set(globs.filter((glob) => !/[*?]/.test(glob)));
  const patterns = globs.filter((glob) => /[*?]/.test(glob)).map(globTest);
  return (name) => exact.has(name) || patterns.some((matches) => matches(name));
}

/**
 * Refuses a glob that no tool name could match, because a deny rule with a typo would silently allow.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkGlob(glob: unknown, where: string): string {
  if (typeof glob !== 'string' || !/^[A-Za-z0-9_.*?-]{1,256}$/.test(glob)) {
    throw new ToolSearchError(
      'INVALID_CONFIGURATION',
      `${where}: ${JSON.stringify(glob)} is not a tool name or glob.`,
      { hint: 'Use letters, digits, "_", "-", ".", and "*" or "?" as wildcards.' },
    );
  }
  return glob;
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * A canonical name as providers accept it (`[A-Za-z0-9_-]`, at most `maxLength`): `.` becomes `__` where that fits and
 * can be read back, else a readable prefix, `_` and 40 bits of SHA-256 in base 32. Pure per tool, so a name never
 * depends on which other tools are listed; it is reversed by the list it was made for.
 *
 * @param maxLength 64 for OpenAI (the default), 128 for Anthropic
 */
export function wireName(name: string, maxLength = 64): string {
  const simple = name.replaceAll('.', '__');
  // "__" must come from dots only, and must not touch another underscore, else two names could meet in one.
  const reversible = !name.includes('__') && !/_\.|\._/.test(name) && /^[A-Za-z0-9_-]+$/.test(simple);
  if (reversible && simple.length <= maxLength) return simple;
  const digest = createHash('sha256').update(name).digest();
  let suffix = '';
  for (let bit = 0; bit < 40; bit += 5) {
    const byte = bit >> 3;
    const word = ((digest[byte] ?? 0) << 8) | (digest[byte + 1] ?? 0);
    suffix += BASE32[(word >> (11 - (bit & 7))) & 31];
  }
  // No "__" here, not even where the parts meet: that is the mark of the reversible form.
  const prefix = name
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .slice(0, maxLength - 9)
    .replace(/_$/, '');
  return `${prefix}_${suffix}`;
}
