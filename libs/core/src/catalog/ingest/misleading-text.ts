import { looksLike } from '../suspicion/folded-text.js';

// More consecutive blank lines or blanks than any layout needs, followed by more text.
const OUT_OF_SIGHT =
  /(?:\r?\n[\t ]{0,200}){40}|[\t \u00a0\u2000-\u200a\u202f\u205f\u3000]{250}|[\u1680\u2000-\u200a\u202f\u205f]{20}/;
const FLOOD = /\p{Mn}{5}/u;
const WORD = /[\p{L}\p{M}]{2,200}/gu;
const LATIN = /\p{Script=Latin}/u;
const OTHER = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/u;
const PRIVATE = /[\ue000-\uf8ff\u{f0000}-\u{10fffd}]{4}/u;

/** How the appearance of a text misleads its reader, in words after the field's name; undefined if it does not. */
export function misleads(text: string): string | undefined {
  if (text.length >= 20 && OUT_OF_SIGHT.test(text) && text.trim().split(OUT_OF_SIGHT).length > 1) {
    return 'pushes text out of sight';
  }
  if (!/[^\t-\x7e]/.test(text)) return undefined;
  if (FLOOD.test(text)) return 'piles marks on letters';
  if (PRIVATE.test(text)) return 'holds characters without a meaning';
  return OTHER.test(text) && mixesScripts(text) ? 'holds letters that look like others' : undefined;
}

/** Whether a word mixes Latin letters with look-alikes from other scripts; units such as "μm" or "Δt" do not count. */
function mixesScripts(text: string): boolean {
  for (const [word] of text.matchAll(WORD)) {
    if (!LATIN.test(word) || !OTHER.test(word)) continue;
    const latin = Array.from(word).filter((char) => LATIN.test(char)).length;
    const alike = Array.from(word).filter(
      (char) => OTHER.test(char) && looksLike(char.toLowerCase()) !== undefined,
    ).length;
    if (alike > 0 && latin + alike >= 3) return true;
  }
  return false;
}
