/** Placeholders for a secret in documentation, configuration and masked output. */
const PLACEHOLDER =
  /^[<{[(%$]|[>}\])]$|\$\{|\{\{|\$\(|%\(|\*{3}|•{3}|x{4}|X{4}|\.{3}|…|redact|mask|hidden|placeholder|change.?me|your|dummy|example|sample|todo|tbd|_here$|-here$|^(.)\1{5,}$/i;
const DOCUMENTED =
  /^(?:(?:my|the|some|a|db|user|new|old|current)?[-_ ]?(?:pass(?:word|wd)?|pwd|pw|secret|token|api[-_]?key|key|credentials?))$/i;
/** Values of configuration, types and validation messages. */
const WORDS =
  /^(?:string|str|text|varchar|number|integer|boolean|bool|true|false|null|nil|none|undefined|required|optional|missing|invalid|incorrect|wrong|expired|empty|unset|not ?set|unknown|default|disabled|enabled|changed|unchanged|forbidden|denied|plain|bcrypt|argon2|scrypt|encrypted|protected|internal|public|private|bearer|basic|digest|prompt|manual|rotated|revoked|valid|active|inactive|stored|saved|needed|reset|n\/a)$/i;
/** Hashes of passwords are no passwords. */
const HASH =
  /^(?:\$(?:2[abxy]?|5|6|argon2\w{1,2}|pbkdf2\S*|scrypt)\$|\{S?SHA\d*\}|pbkdf2|sha(?:1|256|512)[:$-]|md5[:$])/i;
/** An expression of a program: a name with dots or arrows, or a call. */
const CODE =
  /^[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+(?:[([].*)?$|^[A-Za-z_$][\w$.]*[([]|^(?:await|new|return|this|process|os|env|config|secrets?|vault|ssm)[.:/(]/;
const PATH =
  /^\d{4}-\d\d-\d\d|^(?:[~.]{0,2}\/|[A-Za-z]:\\|https?:|arn:|urn:|file:|projects\/|ref[+:])|^(?:[a-z][a-z0-9_.-]*\/){2,}[\w.-]*$/;

/** Whether a text stands for a secret without being one. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || DOCUMENTED.test(value) || WORDS.test(value) || HASH.test(value);
}

function isNoSecret(value: string): boolean {
  return isPlaceholder(value) || CODE.test(value) || PATH.test(value);
}

/** Whether the value of a password is one. @param isQuoted a value of its own, so that words are no part of a sentence */
export function isPassword(value: string, isQuoted: boolean): boolean {
  if (value.length < (isQuoted ? 4 : 6) || value.length > 256 || /\s/.test(value) || isNoSecret(value)) return false;
  if (isQuoted) return true;
  const letters = /\p{L}/u.test(value);
  if (!letters) return /^\d{6,}$/.test(value) || /\d/.test(value);
  return /\d|[^\p{L}\p{N}_.:/'’-]/u.test(value) || /[a-z][A-Z].*[a-z][A-Z]/.test(value);
}

/** Whether the value of a token or key is one: long, of several classes of characters, without words. */
export function isToken(value: string, minLength = 12): boolean {
  if (value.length < minLength || value.length > 4096 || /\s/.test(value) || isNoSecret(value)) return false;
  if (/^(?:tok|pk|pm|cus|evt|ch|pi|price|prod|sub|src|card|acct|in)_/.test(value)) return false;
  if (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value)) return false;
  return looksRandom(value);
}

/** Whether letters and digits are mixed as in a random text: by classes of characters and by their variety. */
export function looksRandom(value: string): boolean {
  const digits = value.replaceAll(/\D/g, '').length;
  const upper = value.replaceAll(/[^A-Z]/g, '').length;
  const lower = value.replaceAll(/[^a-z]/g, '').length;
  if (upper + lower < 3 || (digits < 2 && (upper < 3 || lower < 3))) return false;
  if (new Set(value).size < Math.min(10, value.length * 0.4)) return false;
  // Words and numbers between separators, as in a version or a name.
  return (
    !/^[A-Za-z]+(?:[-_./:][A-Za-z]+)*\d*(?:[-_./:v]+\d+)*$/.test(value) ||
    /[a-z][A-Z]{2}[a-z]|[A-Z][a-z][A-Z][a-z]/.test(value)
  );
}
