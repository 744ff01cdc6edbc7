import { isObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { SECRET_KINDS } from './secret-kinds.js';

const SHAPES = SECRET_KINDS.map(({ pattern }) => pattern).join('|');
const SHAPE = new RegExp(SHAPES);
const ALL_SHAPES = new RegExp(SHAPES, 'g');

// A fast pre-check: every credential contains one of these, and most texts contain none.
const MAY_HOLD =
  /A[KSBC][IC]A[0-9A-Z]|aws_?s|AIza|GOCSPX|ya29|AccountKey|sig=|Q~|gh[pousr]_|github_pat|gl[a-z]{2,5}[-_]|xox|xapp-|hooks\.slack|[sr]k_|whsec|SK[0-9a-f]{8}|SG\.|key-|-us\d|npm_|pypi-|sk-|hf_|r8_|gsk_|do[opr]_v1|shp|:AA|\w\.[\w-]{6}\.|lin_|secret_|ntn_|ATATT|PMAK|sb[p_]|dapi|hv[sb]\.|sq0|EAA|sntry|dckr|AGE-|eyJ|-----BEGIN|:\/\/|Password=|Pwd=|Bearer|Basic/;

/** Placeholders for credentials in documentation, which no service accepts. */
const PLACEHOLDER =
  /x{4}|X{4}|\.{3}|…|\*{3}|[<>{}$]|your|placeholder|redacted|dummy|changeme|(?:^|[-_ /:])(?:my|the|some)[-_]|[-_](?:here|key|token|secret)$|(?:^|:\/\/)(?:user|username|admin|root|postgres)?:(?:pass|password|pwd|pw|secret|passwd|token)@|0{8}|(.)\1{7}/i;

/** Keys whose string values count as credentials in any format. */
const KEYS = /^(.*[_-])?(password|passwd|secret|token|api[_-]?key|authorization|credential|private[_-]?key)s?$/i;
const MIN_KEPT_SECRET = 8;

const REDACTED = '[redacted]';

/** Whether a text contains what looks like a credential, not like a placeholder for one. */
export function hasSecret(text: string): boolean {
  return MAY_HOLD.test(text) && SHAPE.test(text) && redactedText(text) !== text;
}

/** Replaces everything that looks like a credential by `[redacted]`. */
export function redactedText(text: string): string {
  if (!MAY_HOLD.test(text)) return text;
  return text.replace(ALL_SHAPES, (found) => (PLACEHOLDER.test(found) ? found : REDACTED));
}

/** Whether a value is a credential, by its format or by its key. */
export function isSecret(value: string, key: string): boolean {
  return hasSecret(value) || (KEYS.test(key) && value.length >= MIN_KEPT_SECRET && !PLACEHOLDER.test(value));
}

/** A copy with everything that looks like a credential replaced, and whether anything was. */
export function redactSecrets(args: JsonObject): { readonly args: JsonObject; readonly redacted: boolean } {
  let redacted = false;
  const clean = (value: JsonValue, key: string): JsonValue => {
    if (typeof value === 'string') {
      if (!isSecret(value, key)) return value;
      redacted = true;
      return REDACTED;
    }
    if (Array.isArray(value)) return value.map((item: JsonValue) => clean(item, key));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item as JsonValue, name)]));
  };
  return { args: clean(args, '') as JsonObject, redacted };
}
