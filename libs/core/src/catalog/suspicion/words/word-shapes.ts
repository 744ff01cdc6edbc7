/** Marks of runs of characters without white space, by shape; the first match counts. */
export const SHAPES = [
  // Files in which assistants keep instructions.
  {
    mark: 'memo',
    shape: /(claude|agents|gemini|copilot-instructions|skill)\.md\b|\.cursorrules|\.windsurfrules|\.clinerules/,
  },
  // Paths and addresses where a machine keeps credentials and private settings.
  {
    mark: 'place',
    shape:
      /\.ssh\b|id_(rsa|ed25519|ecdsa|dsa)\b|\/etc\/(passwd|shadow|sudoers|hosts)|\.aws\b|mcp\.json|claude_desktop_config|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.kube\/|kubeconfig|\.git-credentials|(bash|zsh|psql|mysql|python)_history\b|\/proc\/self|\.docker\/config|\.gnupg|wallet\.dat|cookies\.sqlite|\.cursor\b|authorized_keys|\.config\/|credentials\.json|169\.254\.169\.254|service-account\.json|secrets\.(json|ya?ml|toml)|login data|\.azure\/|keychain-db|\.pem\b|%appdata%/,
  },
  // A settings file with secrets, or the environment variables.
  { mark: 'env', shape: /(^|[^\w])\.env\b|process\.env|os\.environ|printenv/ },
  { mark: 'email', shape: /^[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}$/ },
  // A URL parameter for an affiliate or referral id.
  { mark: 'aff', shape: /[?&](aff|affid|affiliate|tag|ref|partner|via|rel)=?[\w-]{0,40}/ },
  // At least the first part of an IBAN.
  { mark: 'iban', shape: /^\W?[a-z]{2}\d{2}(\W?$|(?!\d*0{8})[a-z0-9]{11,30}\W?$)/ },
  // An IPv4 address, except local, private and reserved ranges.
  {
    mark: 'url',
    shape:
      /^\W?(?!0\.|10\.|127\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|192\.168\.|255\.)\d{1,3}(\.\d{1,3}){3}(:\d{2,5})?\W?$/,
  },
  {
    mark: 'url',
    shape:
      /:\/\/|^www\.|\b[\w-]{2,64}\.(com|net|io|org|xyz|dev|ru|cn|app|site|me|evil|co)\/|^\W?[\w-]{1,64}(\.[\w-]{1,64}){0,4}\.(com|net|io|org|xyz|example|site|cloud|info|biz)\W{0,3}$/,
  },
] as const satisfies readonly { readonly mark: string; readonly shape: RegExp }[];

/** Addresses reserved for examples, and the local machine. */
export const SAMPLE = /\bexample\.(com|org|net)\b|localhost/;

/** An email address or IBAN given as a value, not asked for. */
export const GIVEN_TARGET =
  /(?:^|[\s,;<:"'])[\w.+-]{1,64}@(?!example\.|localhost|acme\.|test\.|domain\.|company\.)[\w-]{1,64}\.[\w.-]{1,64}|^[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}/;

/** The mark of a run that may be encoded. */
export const CODED =
  /[A-Za-z0-9+/_-]{20}|^[^\w]?[A-Za-z0-9+/]{8,19}=|\\[xu][0-9a-fA-F{]{2}|%[0-9a-fA-F]{2}|&#|(?:\d{2,3},){4}/;

/** One code of a sequence separated by blanks. */
export const SPACED_CODE = /^(?:0x|\\x)?[0-9a-fA-F]{2}[,:]?$|^\d{2,3},?$|^[01]{8}$/;

/** An identifier in a program's notation. */
export const IDENTIFIER = /^[a-z][a-z0-9]{1,40}(?:[_.-][a-z0-9]{1,40}){1,8}$|^[a-z]{2,30}(?:[A-Z][a-z0-9]{1,30}){1,6}$/;

/** Tool names start with a verb; other identifiers are field names. */
export const TOOL_NAME =
  /^(?:mcp[_-]|[a-z0-9]{2,20}[_.-]){0,3}(?:(?:send|translate|convert|summarize|analyze|validate|verify|create|get|list|delete|update|read|write|search|fetch|transfer|make|execute|pay|move|upload|download|edit|remove|publish|forward|schedule|buy|invoke|browse|commit|merge|deploy|post|run|query|open|install|export|share|refresh|finalize|submit|register|notify|sync)(?=[_.A-Z-])|(?:push|pull|search|send|upload|fetch|export|share|sync|publish|submit|install|deploy|commit|transfer)$)(?!.*(?:time|date|at|by|id|url|to)$)/;
