import { credentialsIn } from '@tool-search/core/internal';
import type { Finding } from '../finding.js';

/** Longer than any form of a credential that the catalog knows. */
const OVERLAP = 8192;
const BEFORE = 64;

/** Text in front of the credential itself in the forms that the catalog knows. */
const PREFIXES = [
  /^(?:Bearer|Basic)\s+/,
  /^(?:Password|Pwd)=/,
  /^aws_?secret_?(?:access_?)?key['"]?\s*[:=]\s*['"]?/,
  /^AccountKey=/,
  /^[?&]sig=/,
];
/** A URL with user and password, which {@link urlPasswordsIn} handles: only the password is removed. */
const URL_WITH_PASSWORD = /^[a-z][a-z0-9+]{2,20}:\/\//;

/** The credentials that ingestion removes from definitions, by the format of their issuers. */
export function* knownSecretsIn(text: string, from: number, to: number): Generator<Finding> {
  const base = Math.max(0, from - BEFORE);
  const part = text.slice(base, to + OVERLAP);
  for (const { start, end } of credentialsIn(part)) {
    const found = part.slice(start, end);
    if (base + start < from || base + start >= to || URL_WITH_PASSWORD.test(found) || isWords(found)) continue;
    const prefix = PREFIXES.map((each) => each.exec(found)?.[0].length ?? 0).find((size) => size > 0) ?? 0;
    const scheme = found.startsWith('hooks.') && part.slice(0, start).endsWith('https://') ? 8 : 0;
    const suffix = /[;]$/.test(found) ? 1 : 0;
    yield { start: base + start + prefix - scheme, end: base + end - suffix, kind: 'secret' };
  }
}

/** Names such as `sk-folding-cube-container` or `Bearer authentication-required`. */
function isWords(found: string): boolean {
  return /^(?:sk-|Bearer\s+|Basic\s+)[a-z]+(?:[-_.][a-z]+)*$/.test(found);
}

const BEGIN = '-----BEGIN ';
const HEADER = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** Lines of a key: base64, headers such as `Proc-Type: 4,ENCRYPTED`, and line ends, also written as `\n`. */
const BODY = /[A-Za-z0-9+/=\s\\:,.-]/;

/** Private keys of any length that start in `[from, to)`, also without their end. The rest of a text is read once. */
export function* privateKeysIn(text: string, from: number, to: number): Generator<Finding> {
  const part = text.slice(from, to + BEGIN.length);
  for (let at = part.indexOf(BEGIN); at >= 0; at = part.indexOf(BEGIN, at + 1)) {
    const start = from + at;
    const header = HEADER.exec(text.slice(start, start + 100))?.[0];
    if (header === undefined) continue;
    let end = start + header.length;
    while (end < text.length && !text.startsWith('-----', end) && BODY.test(text.charAt(end))) end += 1;
    const footer = /^-----END [A-Z0-9 ]{0,40}-----/.exec(text.slice(end, end + 100))?.[0] ?? '';
    yield { start, end: end + footer.length, kind: 'secret' };
    at = Math.max(at, end - from - 1);
  }
}
