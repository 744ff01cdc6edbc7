/** A guess from the raw form of a text, before its words are read. */
interface Mark {
  readonly code: string;
  readonly reason: string;
  /** Every repetition is bounded, so matching takes time linear to the length of the text. */
  readonly patterns: readonly RegExp[];
}

const BASE64 = /(?<![\w+/=-])[A-Za-z0-9+/]{40,8192}={0,2}(?![\w+/=-])/g;

export const MARKS: readonly Mark[] = [
  {
    code: 'role-marker',
    reason: 'imitates the marks of a conversation',
    patterns: [
      /(?:^|\n|[.!?。] ?)\s{0,8}(?:SYSTEM|SYSTÈME|SISTEMA|系统|DEVELOPER|ASSISTANT) ?[:：]/,
      /[[【] ?(?:SYSTEM|SYSTÈME|SISTEMA|系统|ADMIN|DEVELOPER)[\p{L} -]{0,40}[\]:：】]/iu,
      /<\/?(?:system|assistant|tool_result|tool_call|IMPORTANTE?|WICHTIG|hidden|secret|user_query)>/,
      /\bsystem override\b/i,
    ],
  },
  {
    code: 'markup',
    reason: 'hides text or an address in markup',
    patterns: [
      /<!--\s{0,8}(?:[\p{L}'’,]{1,30}\s{1,8}){3}\p{L}/u,
      /style\s?=\s?["'][^"']{0,200}(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0)/i,
      /!\[[^\]\n]{0,100}\]\(https?:\/\/[^)\s]{0,300}[{<$]/,
      /\]\((?:javascript|data):/i,
    ],
  },
  {
    code: 'command',
    reason: 'holds a command that attacks use',
    patterns: [
      /\b(?:curl|wget)\b[^\n|]{1,300}\|\s{0,4}(?:sudo )?(?:ba|z)?sh\b/,
      /\/dev\/tcp\/\d/,
      /\bpowershell\b[^\n]{0,60}\s-e(?:nc|ncodedcommand)?\s[A-Za-z0-9+/=]{8}/i,
    ],
  },
  {
    code: 'spelling',
    reason: 'spells words so that a check does not read them',
    patterns: [
      /(?<![\p{L}\p{N}])\p{L}(?: {1,2}\p{L}){7}(?![\p{L}\p{N}])/u,
      /\p{Mn}{5}/u,
      /[\ue000-\uf8ff\u{f0000}-\u{10fffd}]{4}/u,
      // Look-alikes of Latin letters from the Cyrillic and Greek alphabets within a Latin word.
      /[a-z]{2}[аеорсухіјѕԁһαορνεικ]|[аеорсухіјѕԁһαορνεικ][a-z]{2}/iu,
    ],
  },
];

/** Texts in base64 that decode to several words. */
export function decodedTexts(text: string): readonly string[] {
  // Most texts are shorter than the shortest match.
  if (text.length < 40) return [];
  return Array.from(text.matchAll(BASE64), ([run]) => Buffer.from(run, 'base64').toString('utf8')).filter(
    (decoded) => /^[\t\n\r\x20-\x7e]{24,}$/.test(decoded) && decoded.split(' ').length >= 4,
  );
}
