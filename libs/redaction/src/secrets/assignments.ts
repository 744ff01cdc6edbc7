import type { Finding } from '../finding.js';
import type { TextView } from '../text-view.js';
import { isPassword, isToken } from './secret-values.js';

const PASSWORD = String.raw`pass(?:word|wd|phrase|wort|wörter|code)|kennwort|zugangscode|pwd|contrase[ñn]a|clave de acceso|mot de passe|mdp|wachtwoord|has[łl]o|senha|l[öo]senord|parola d['’]ordine`;
const TOKEN = String.raw`(?:api|access|auth|secret|private|signing|encryption|master|account|shared|webhook|client|consumer|storage|deploy)[-_ ]?(?:access[-_ ]?)?key|api[-_ ]?schlüssel|clé (?:d['’])?api|clave (?:de )?api|chiave api|secret|token|jeton|credentials?|authorization`;
/** `pass` alone is also a verb: it counts behind a separator, or as a name of its own. */
const NAME = new RegExp(
  String.raw`(?<password>${PASSWORD}|(?<=[-_."'{,])pass(?=["']?\s?[:=]))|(?<token>${TOKEN})`,
  'giu',
);
/** Between a name and its value. */
const ASSIGNED =
  /^(?:\s(?:for|für|fürs|zum|to|of|de|del|della|dla|do|van|voor|pour|du|per|wifi|wlan|wi-fi)\s?[\p{L} '’-]{0,30}:\s|\s?\([\p{L} ]{1,24}\)\s?[:=]\s|\s?(?:→|->)\s|["']?,?\s{1,20}["']?value["']?\s?[:=]\s?|\\?["'`*]{0,3}\]?\s{0,4}(?::=|=>|={1,2}|:|\|)\s{0,4}|>\s{0,2}|["'`]{0,2}\s(?:is|was|ist|lautet|war|est|es|era|è|jest|to|now|heißt|wurde)(?:\s(?:now|jetzt|auf))?:?\s|\s(?=[^\s=:]{6,256}(?:\s|$)))/iu;
/** Tokens that models need to go on, and those that are no secrets. */
const HARMLESS =
  /(?:page|next|prev|previous|continuation|continue|cursor|sync|pagination|resume|skip|csrf|xsrf|public|publishable|cancel\p{L}{0,10}|idempotency|request|dedup|fcm|device)[-_ ]?$/iu;
const MAX_VALUE = 4200;
const LONG = 300;

export const PASSWORD_NAME = new RegExp(`(?:${PASSWORD}|(?:^|[-_ .])pass)s?$`, 'iu');
export const TOKEN_NAME = new RegExp(`(?:${TOKEN})s?$`, 'iu');

/** Values of names such as `password` and `api_key` whose name starts in `[from, to)`: settings, headers, sentences. */
export function* assignmentsIn({ text }: TextView, from: number, to: number): Generator<Finding> {
  const base = Math.max(0, from - 1);
  const part = text.slice(base, to + 40);
  let longEnd = 0;
  for (const { index, 0: name, groups } of part.matchAll(NAME)) {
    const start = base + index;
    if (start >= to) return;
    // What is part of a long text without blanks is not read again: `token=token=…` would take time quadratic in its length.
    if (start < from || start < longEnd) continue;
    const isPasswordName = groups?.['password'] !== undefined;
    if (!isPasswordName && HARMLESS.test(text.slice(Math.max(0, start - 24), start))) continue;
    const value = valueAfter(text, start, start + name.length, isPasswordName);
    if (!value) continue;
    if (isSecret(value, isPasswordName)) yield { start: value.start, end: value.end, kind: 'secret' };
    else if (value.text.length > LONG) longEnd = value.end;
  }
}

interface NamedValue {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** A value of its own: in quotes or in an element. */
  readonly isOwn: boolean;
  /** Behind a verb, as in a sentence. */
  readonly isProse: boolean;
  /** Behind a blank alone, and the name is no option of a command. */
  readonly isBare: boolean;
  readonly scheme: string;
}

function valueAfter(text: string, start: number, end: number, isPasswordName: boolean): NamedValue | undefined {
  const plural = /^s(?![\p{L}])/u.test(text.slice(end, end + 2)) ? 1 : 0;
  const assigned = ASSIGNED.exec(text.slice(end + plural, end + plural + 280))?.[0];
  if (assigned === undefined) return undefined;
  const sign = assigned.trim();
  const before = text.slice(Math.max(0, start - 44), start);
  const isBare = sign === '' && !/(?:^|\s)--?[\w-]{0,40}$/.test(before);
  if (isBare && !isPasswordName) return undefined;
  const isElement = sign === '>';
  if (isElement && !/<\/?[\w:.-]{0,40}$/.test(before)) return undefined;
  let at = end + plural + assigned.length;
  const quote = /^\\?["'`]/.exec(text.slice(at, at + 2))?.[0] ?? '';
  at += quote.length;
  const scheme = /^(?:Bearer|Basic|Token|ApiKey|Digest|Negotiate)\s{1,4}/i.exec(text.slice(at, at + 16))?.[0] ?? '';
  at += scheme.length;
  const value = valueAt(text, at, quote, isElement);
  const isProse = /^\p{L}/u.test(sign.replace(/^["'`]+/, ''));
  const isOwn = quote !== '' || isElement;
  return { text: value, start: at, end: at + value.length, isOwn, isProse, isBare, scheme };
}

function isSecret({ text, isOwn, isProse, isBare, scheme }: NamedValue, isPasswordName: boolean): boolean {
  if (isBare && !/^(?=.*\d)(?=.*\p{L}).{8,}$/u.test(text)) return false;
  if (/^basic/i.test(scheme)) return /^[A-Za-z0-9+/]{8,}={0,2}$/.test(text) && !/^[a-z]+$/.test(text);
  return isPasswordName ? isPassword(text, isOwn) : isToken(text, isProse ? 16 : 12);
}

/** Most values are short, so that only few are read in full. */
function valueAt(text: string, at: number, quote: string, isElement: boolean): string {
  const short = valueOf(text.slice(at, at + LONG + 1), quote, isElement);
  return short.length > LONG - 8 ? valueOf(text.slice(at, at + MAX_VALUE), quote, isElement) : short;
}

function valueOf(rest: string, quote: string, isElement: boolean): string {
  if (isElement) return /^[^<\s]*/.exec(rest)?.[0] ?? '';
  if (quote !== '') {
    const end = rest.indexOf(quote);
    return end < 0 ? (/^\S*/.exec(rest)?.[0] ?? '') : rest.slice(0, end);
  }
  return (/^[^\s"'`<>,;&|]*/.exec(rest)?.[0] ?? '').replace(/[.,:;)\]}]+$/, '');
}

/** Values whose name is not in the text: the text is the value of a member of JSON, or stands in a column of a table. */
export function* namedValuesIn(view: TextView): Generator<Finding> {
  const { key, text } = view;
  const start = /^\s*(?:(?:Bearer|Basic|Token)\s+)?/i.exec(text.slice(0, 64))?.[0].length ?? 0;
  const value = text.slice(start).trimEnd();
  if (PASSWORD_NAME.test(key) ? isPassword(value, true) : isTokenName(key) && isToken(value)) {
    yield { start, end: start + value.length, kind: 'secret' };
  }
  for (const cell of text.includes('\n') ? view.headers.below(PASSWORD_NAME) : []) {
    if (isPassword(text.slice(cell.start, cell.end), true)) yield { ...cell, kind: 'secret' };
  }
  for (const cell of text.includes('\n') ? view.headers.below(TOKEN_NAME) : []) {
    if (isToken(text.slice(cell.start, cell.end))) yield { ...cell, kind: 'secret' };
  }
}

function isTokenName(key: string): boolean {
  const name = TOKEN_NAME.exec(key);
  return name !== null && !HARMLESS.test(key.slice(0, name.index));
}

const AWS_ID = /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g;
const AWS_SECRET = /(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/;
const PAIR_CHARS = 240;

/** The 40 characters of an AWS secret key have no form of their own: they are found behind their key id. */
export function* awsSecretsIn(text: string, from: number, to: number): Generator<Finding> {
  const part = text.slice(from, to + 20);
  for (const { index, 0: id } of part.matchAll(AWS_ID)) {
    if (from + index >= to) return;
    const start = from + index + id.length;
    const found = AWS_SECRET.exec(text.slice(start, start + PAIR_CHARS));
    if (found && looksLikeAwsSecret(found[0])) {
      yield { start: start + found.index, end: start + found.index + 40, kind: 'secret' };
    }
  }
}

function looksLikeAwsSecret(value: string): boolean {
  return /[A-Z]/.test(value) && /[a-z]/.test(value) && !/^[\da-f]+$/i.test(value);
}
