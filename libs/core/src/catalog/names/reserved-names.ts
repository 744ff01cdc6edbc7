import { META_TOOL_NAMES, wireName } from '../../tool/tool-name.js';

/** Length of the suffix of a wire name with a digest; see `wireName`. */
const DIGEST_CHARS = 9;
const MAX_PREFIX = 64 - DIGEST_CHARS;

/**
 * Tests whether a meta tool has a name, or has it as its wire name, by which a model may know a tool.
 *
 * @param names reserved in addition to `META_TOOL_NAMES`
 */
export function reservedNames(names: readonly string[] = []): (name: string) => boolean {
  const taken = new Set<string>([...META_TOOL_NAMES, ...names]);
  // Computes digests only for names that could match: every load checks every tool.
  const prefixes = new Set([...taken].map((name) => name.slice(0, -DIGEST_CHARS)));
  return (name) => {
    if (taken.has(name) || taken.has(name.replaceAll('.', '__'))) return true;
    const prefix = name.replace(/[^A-Za-z0-9-]+/g, '_').slice(0, MAX_PREFIX);
    return prefixes.has(prefix.replace(/_$/, '')) && taken.has(wireName(name));
  };
}
