/** A rule about the raw form of a text, before its words are read. */
export interface MarkupRule {
  readonly id: string;
  readonly reason: string;
  /** A fast pre-check: every text that breaks the rule has a run without white space that matches in lower case. */
  readonly mark: RegExp;
  /** Every repetition is bounded and none is nested, so matching time stays low for any text. */
  readonly patterns: readonly RegExp[];
}

const SPOKEN = 'system|developer|assistant|ai|human|user|tool|function|admin|administrator';

/** Markup that addresses a machine, not a reader. */
export const MARKUP_RULES: readonly MarkupRule[] = [
  {
    id: 'role-marker',
    reason: 'imitates the marks of a conversation or of a chat template',
    mark: /[<|＜«]|^\[$|\[\W?(\/?inst|system|developer|admin|assistant|sys\b|ai\b|llm|model|hidden|override)|(system|developer|assistant|human|user|tool|function|admin|ai|message|prompt|turn|note|override|instructions?)\W{0,3}:|^\W{0,4}(system|developer|assistant|human|user|tool|function|admin|ai)\W|^#{1,6}(system|assistant|instruction|response|human|$)|prompt|override\W|\((system|developer|admin|hidden|internal)|["']role["']/,
    patterns: [
      /<\|\s?[a-z_]{2,24}\s?\|>|<\|(im_|start|end|eot|system|user|assistant)|<｜[^｜>]{1,24}｜>/i,
      /\[\/?INST\]|<<\/?SYS>>|<\/?s>\s?\[INST|<(start|end)_of_turn>|<bos>|<eos>/i,
      new RegExp(
        `(^|\\n)\\s{0,8}[#*>\\-]{0,4}\\s{0,2}(${SPOKEN})\\s?(message|prompt|turn|note|override|instruction|instructions)?\\s?[*]{0,2}\\s?:\\s{0,3}\\S`,
        'im',
      ),
      /[.!?"']\s{1,4}(SYSTEM|ASSISTANT|Human|Assistant|System|DEVELOPER)\s?:\s/,
      /\[\s?(system|developer|admin|administrator|assistant|sys|ai|llm|model|hidden|override)(\s(message|note|prompt|override|instructions?|notice|alert|update|directive|only))?\s?[\]:]/i,
      /\((system|developer|admin|hidden|internal)\s(message|note|prompt|override|instructions?|notice|directive)\s?[:)]/i,
      /<\/?(important|system|sys|assistant|human|developer|admin|secret|hidden|critical|override|priority|urgent|mandatory|security|internal|directive|prompt|thinking|reasoning|user_query|user_message)([-_ ](message|note|prompt|instructions?|override|notice|reminder|directive|policy|context|only|for[-_ ][a-z]{2,12}))?\s?\/?>/i,
      /<\/?(tool|function)[-_ ]?(call|calls|result|results|output|response|use|description|definition)s?>/i,
      /(begin|start|end|new)\s(of\s)?(the\s)?(system|hidden|secret|admin|developer|internal|user|assistant)\s(prompt|message|instructions?|section|override|turn|input|query)\s?[-\]=*:>]/i,
      /["']role["']\s?:\s?["'](system|assistant|developer|tool)["']\s?,\s?["']content["']/i,
      /^#{1,6}\s?(system|assistant|instruction|response|human)\s?(prompt|message|override)?\s?:?\s{0,4}$/im,
    ],
  },
  {
    id: 'markup',
    reason: 'hides text or an address in markup that is not shown as it stands',
    mark: /<|\]\(|(javascript|vbscript)\W|data:(text|image\/svg)|:\/\/\S{0,400}[<{$]|\[\/\/|\[comment/,
    patterns: [
      /<!--\s{0,8}["'*#(]{0,3}[\p{L}\p{N}'’-]{1,40}[:,.!]?\s{1,8}["'*#(]{0,3}\p{L}/iu,
      /\[(\/\/|comment)\]:?\s?(#|<>)/i,
      /style\s?=\s?["'][^"']{0,200}(display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0|color\s?:\s?(white|#fff|transparent)|(left|top)\s?:\s?-\d{3})/i,
      /<[a-z]{1,12}\s[^>]{0,100}\bhidden\b[^>]{0,60}>/i,
      /<(script|iframe|object|embed|svg|form|base|link)\s[^>]{0,300}(src|href|action|content|data|onload)\s?=|<script>[^<]{4,200}<\/script/i,
      /<[a-z]{1,12}\s[^>]{0,200}\bon(error|load|click|mouseover)\s?=(?!\s?["']?alert\()/i,
      /(javascript|vbscript)\s?:\s?[a-z(]|data:text\/html|data:image\/svg\+xml/i,
      /!\[[^\]\n]{0,200}\]\(\s?https?:\/\/[^)\s]{0,400}(\?|=|\{|\$|%7b|<)/i,
      /<img\b[^>]{0,200}src\s?=\s?["']?https?:\/\/[^>]{0,300}[?={$]/i,
      /https?:\/\/[^\s)"']{1,200}[<{$]\s?[^>}\n]{0,20}\b(question|topic|conversation|chat|messages?|prompt|summary|customer|secret|token|context|answer|user input)\b/i,
      /\]\(\s?https?:\/\/[^)\s]{0,300}=\s?(\{|\$|<|\[|%7b|your_|user_|conversation|secret|token|history|data\b)/i,
      /\[[^\]\n]{0,200}\]\(\s?(javascript|data|file|vbscript):/i,
    ],
  },
  {
    id: 'command',
    reason: 'brings a command that is typical of an attack',
    mark: /curl|wget|iwr|irm|invoke-|base64|openssl|^\W?rm$|mkfs|^\W?dd$|:\(\)|^\W?del$|^\W?[a-z]:|powershell|pwsh|iex|downloadstring|\/dev\/|bash|^\W?nc$|ncat|netcat|mkfifo|certutil|mshta|regsvr32|bitsadmin|rundll32|eval|exec\W|os\.system|subprocess|child_process|__import__|chmod|crontab|authorized_keys|bashrc|zshrc|^\W?(scp|rsync|npx|pip3?|npm|yarn|pnpm|gem|uv|fetch)$|\$\(|`(cat|whoami)|;drop|drop$|delete$|truncate$/,
    patterns: [
      /\b(curl|wget|fetch|iwr|irm|invoke-webrequest)\b[^\n|]{1,300}\|\s{0,4}(sudo\s)?(ba|z|da|k)?(sh|python3?|node|perl|ruby|iex)\b/i,
      /\b(ba|z|da)?sh\b[^\n]{0,20}(<\(|\$\()\s?(curl|wget)/i,
      /\b(curl|wget)\s[^\n]{0,300}(-d|--data|--data-[a-z]{3,10}|-F|--form|-T|--upload-file|--post-file|--post-data)[\s=][^\n]{0,120}(@|\$\(|`|~\/|\/etc|\.env|\$\{?[A-Z_]{3,20})/i,
      /\b(curl|wget)\s[^\n]{0,200}(\$\(|`|\$[A-Z_]{3,20}|\?[a-z]{1,12}=\{?\$)/,
      /base64\s(-d|-D|--decode)\b|\b(cat|env|printenv)\b[^\n|]{0,80}\|\s?base64\b|openssl\s(enc|base64)\b/,
      /(?<!\b(?:avoid|never|not|refus|block|destructive|dangerous|den(?:y|ied))[^\n.]{0,60})\brm\s+-(rf|fr|r\s-f|f\s-r)\b|\bmkfs\.|\bdd\sif=|:\(\)\s?\{|\bdel\s\/[sfq]\b|\bformat\sc:/i,
      /\b(powershell|pwsh)(\.exe)?\b[^\n]{0,100}-(e|enc|encodedcommand|nop|w\shidden|ep\sbypass|executionpolicy)\b|invoke-expression|\biex\s?\(|downloadstring/i,
      /\/dev\/tcp\/|\bbash\s-i\b|\b(nc|ncat|netcat)\s+-[a-z]{1,6}\b|mkfifo\s/i,
      /\b(certutil|mshta|regsvr32|bitsadmin|rundll32)\b[^\n]{0,60}(http|javascript|-urlcache|\/transfer)/i,
      /\b(eval|exec)\s?\(\s?(atob|base64|requests|fetch|__import__|compile|bytes|buffer|string\.fromcharcode)/i,
      /os\.system\(|subprocess\.(run|popen|call)\(|child_process['"]?\)?\.exec|__import__\(['"]os/i,
      /\bchmod\s(-R\s)?(0?777|\+x|u\+s|4755)\s|\bcrontab\s-|authorized_keys|>>\s?~\/\.(bashrc|zshrc|profile|ssh)/i,
      /\bscp\s[^\n]{1,120}[\w.-]{1,40}@[\w.-]{1,60}:|\brsync\s[^\n]{1,120}@[\w.-]{1,60}:/i,
      /\$\((cat|whoami|id|env|curl|wget|printenv|uname)\b|`(cat|whoami|curl|wget|printenv)\s/i,
      /\b(pip3?|uv|npm|yarn|pnpm|gem)\s[^\n]{0,60}--?(index-url|extra-index-url|trusted-host|registry|source)\b[\s=]{1,3}http/i,
      /\bnpx\s(-y|--yes)\s[^\n]{1,80}\b(sudo|root|admin(istrator)?|owner)\b/i,
      /;\s?(drop\stable|delete\sfrom|truncate\stable)\s\w{1,40}\s?;/i,
    ],
  },
];

/** Bit set of the rules that may match a text with this run of characters. */
export function markupMarks(run: string): number {
  let marks = 0;
  for (const [index, { mark }] of MARKUP_RULES.entries()) if (mark.test(run)) marks |= 1 << index;
  return marks;
}

/** The first rule that the raw form of a text breaks, among those in `marks`. @default all */
export function brokenMarkupRule(text: string, marks = -1): MarkupRule | undefined {
  return MARKUP_RULES.find(
    ({ patterns }, index) => (marks & (1 << index)) !== 0 && patterns.some((pattern) => pattern.test(text)),
  );
}
