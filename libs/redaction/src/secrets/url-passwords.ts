import type { Finding } from '../finding.js';
import { isPlaceholder, looksRandom } from './secret-values.js';

const MAX_USERINFO = 512;
const END = /[\s/?#"'<>`|\\]/;

/** Passwords in URLs that start in `[from, to)`: `scheme://user:password@host`, and random texts in place of a user. */
export function* urlPasswordsIn(text: string, from: number, to: number): Generator<Finding> {
  const part = text.slice(from, to + 3);
  for (let at = part.indexOf('://'); at >= 0; at = part.indexOf('://', at + 3)) {
    const start = from + at + 3;
    const sign = lastSign(text, start);
    if (sign === undefined) continue;
    const colon = text.slice(start, sign).indexOf(':');
    const user = text.slice(start, colon < 0 ? sign : start + colon);
    const password = colon < 0 ? '' : text.slice(start + colon + 1, sign);
    if (password !== '' && !/^x-oauth-basic$/.test(password)) {
      if (!isPlaceholder(password)) yield { start: sign - password.length, end: sign, kind: 'secret' };
    }
    if (user.length >= 20 && looksRandom(user)) yield { start, end: start + user.length, kind: 'secret' };
  }
}

/** The last `@` before the host ends. */
function lastSign(text: string, start: number): number | undefined {
  let sign: number | undefined;
  for (let at = start; at < text.length && at - start < MAX_USERINFO; at += 1) {
    const char = text.charAt(at);
    if (char === '@') sign = at;
    else if (END.test(char)) return sign;
  }
  return sign;
}
