import { createHash } from 'node:crypto';
import { OWN_META_NAMES } from './meta-names.js';
import { ToolSearchError } from './tool-search.error.js';

/** Names reserved for the library's meta tools; sources cannot use them. */
export const META_TOOL_NAMES: readonly string[] = Object.values(OWN_META_NAMES);
/** A legal canonical name as in MCP: 1 to 128 letters, digits, `_`, `-`, `.`. */
const LEGAL = /^[A-Za-z0-9_.-]{1,128}$/;

export function isLegalName(name: string): boolean {
  return LEGAL.test(name);
}

/** `namespace.tool`, or the name alone if the namespace is `''`. */
export function canonicalName(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}.${name}`;
}

/**
 * A name in the form a hasty reader perceives: NFKC, lower case, each run of `.`, `_` and `-` as one `_`, none at the
 * ends. Names with the same folded form can be confused, so they count as one name.
 */
export function foldedName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[._-]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/**
 * Matches a name against a glob: `*` stands for any characters including dots, `?` for one. It backtracks to the last
 * star only, so a hostile pattern cannot cause exponential time.
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

/** A compiled form of {@link globMatches} for many names: it searches for the literal parts between the stars. */
export function globTest(glob: string): (name: string) => boolean {
  if (glob.includes('?')) {
    // Most names lack the longest literal part, and a substring search is cheap.
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

/** A test for many globs at once. Plain names cost one set lookup. */
export function globSet(globs: readonly string[]): (name: string) => boolean {
  const exact = new Set(globs.filter((glob) => !/[*?]/.test(glob)));
  const patterns = globs.filter((glob) => /[*?]/.test(glob)).map(globTest);
  return (name) => exact.has(name) || patterns.some((matches) => matches(name));
}

/** Refuses a glob without a match: a mistyped deny rule would allow the tool. @throws `INVALID_CONFIGURATION` */
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
 * A canonical name in the form providers accept (`[A-Za-z0-9_-]`, at most `maxLength`). `.` becomes `__` if the result
 * fits and is reversible; otherwise the result is a readable prefix, `_` and 40 bits of SHA-256 in base 32. Depends on
 * this name alone, not on other tools. To reverse it, look it up in the list it was made for.
 *
 * @param maxLength 64 for OpenAI (the default), 128 for Anthropic
 */
export function wireName(name: string, maxLength = 64): string {
  const simple = name.replaceAll('.', '__');
  // "__" must come from dots only and must not touch another underscore, otherwise two names could have the same form.
  const reversible = !name.includes('__') && !/_\.|\._/.test(name) && /^[A-Za-z0-9_-]+$/.test(simple);
  if (reversible && simple.length <= maxLength) return simple;
  const digest = createHash('sha256').update(name).digest();
  let suffix = '';
  for (let bit = 0; bit < 40; bit += 5) {
    const byte = bit >> 3;
    const word = ((digest[byte] ?? 0) << 8) | (digest[byte + 1] ?? 0);
    suffix += BASE32[(word >> (11 - (bit & 7))) & 31];
  }
  // "__" marks the reversible form, so it must not occur here, not even where the parts join.
  const prefix = name
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .slice(0, maxLength - 9)
    .replace(/_$/, '');
  return `${prefix}_${suffix}`;
}

/** Translates tool names between the catalog and a conversation, for example to names that a provider accepts. */
export interface ToolNaming {
  /** The name that a model sees for a canonical name. */
  readonly shown: (canonical: string) => string;
  /** The canonical name for a name that a model uses; an unknown name is returned unchanged. */
  readonly canonical: (shown: string) => string;
}
