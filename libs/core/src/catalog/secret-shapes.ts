import { isObject, type JsonObject, type JsonValue } from '../tool/json.js';

/** Values that are credentials by their form: prefixes their issuers document, JSON Web Tokens, private keys. */
const SHAPES =
  /\b(sk-(ant-|proj-)?[\w-]{16,}|sk_(live|test)_\w{10,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abposr]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|npm_\w{30,}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+)|-----BEGIN [A-Z ]*PRIVATE KEY-----|\bBearer\s+[\w.~+/-]{16,}/;

/** Keys whose texts are credentials whatever they look like. */
const KEYS = /^(.*[_-])?(password|passwd|secret|token|api[_-]?key|authorization|credential|private[_-]?key)s?$/i;

const REDACTED = '[redacted]';

/** Whether a text holds something that looks like a credential. */
export function hasSecret(text: string): boolean {
  return SHAPES.test(text);
}

/** A copy in which everything that looks like a credential is replaced, and whether there was anything. */
export function redactSecrets(args: JsonObject): { readonly args: JsonObject; readonly redacted: boolean } {
  let redacted = false;
  const clean = (value: JsonValue, key: string): JsonValue => {
    if (typeof value === 'string') {
      if (!hasSecret(value) && !(KEYS.test(key) && value.length >= 8)) return value;
      redacted = true;
      return REDACTED;
    }
    if (Array.isArray(value)) return value.map((item: JsonValue) => clean(item, key));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item as JsonValue, name)]));
  };
  return { args: clean(args, '') as JsonObject, redacted };
}
