import { isObject } from '../json/json.js';
import { REMOVED } from '../tool/source/removed-credential.js';
import { Escapes, type RevealedText } from './revealed-text.js';
import { formsOf, inJson } from './secret-forms.js';

const MIN_SECRET = 4;
/** Shorter values are too common to be redacted where only a name suggests a credential. */
const MIN_NAMED_SECRET = 8;
/** A part of a value has at most so many names: each "=" adds forms to search for. */
const MAX_NAMED_PARTS = 16;
const MAX_PARTS = 100;
/** Escapes within escapes of another kind, such as HTML in a URL. */
const MAX_LAYERS = 2;
/** Levels of JSON that are cleaned. What is deeper is removed: nothing reads so deep. */
const MAX_DEPTH = 500;
/** Headers, variables and parameters whose values are credentials. Other values, such as paths, may be part of a correct answer. */
const NAMES =
  /auth|token|key|secret|passw|passphrase|pwd|cookie|credential|session|jwt|bearer|signature|(?<![a-z])(?:pat|sig)(?![a-z])/i;
const SCHEME = /^(basic|bearer|digest|token|apikey)\s+/i;
const BASIC = /^basic\s+([\w+/-]+={0,2})$/i;
/** Members of an MCP message whose texts are bytes in base64. */
const BYTES = new Set(['blob', 'data']);
/** With the digits of URLs, without blanks and line breaks, which decoders skip. */
const BASE64 = /^[\w+/-]+={0,2}$/;
/** The beginning of such a member in JSON. */
const BYTES_IN_JSON = /"(?:blob|data)":"/g;

/**
 * The credentials of a request or connection; redacts them from what the server sends, because that may reach other
 * people than the owner of the credentials: as they are, in base64 or hexadecimal, and with the escapes of URLs, JSON
 * and HTML. For credentials that are not known, see `redactedText`.
 */
export class Secrets {
  readonly #forms = new Set<string>();
  /** Forms that JSON writes differently. */
  readonly #jsonForms = new Set<string>();
  #quotes = false;
  #escapes = new Escapes(false);

  /** Whether no credential is known. */
  get isEmpty(): boolean {
    return this.#forms.size === 0;
  }

  /** Adds a credential of at least 4 characters, with the forms it may take when encoded. */
  add(secret: string): void {
    if (secret.length < MIN_SECRET) return;
    for (const form of formsOf(secret)) this.#addForm(form);
    // A credential may itself look as if it had escapes, which are replaced before it is searched for.
    for (const escapes of [new Escapes(false), new Escapes(true)]) {
      let seen = secret;
      for (let layer = 0; layer < MAX_LAYERS; layer++) {
        seen = escapes.revealed(seen);
        if (seen.length >= MIN_SECRET) this.#addForm(seen);
      }
    }
    if (/["'/]/.test(secret)) this.#heedQuotes();
  }

  /** Adds all credentials of another connection. */
  addAll(other: Secrets): void {
    for (const form of other.#forms) this.#addForm(form);
    if (other.#quotes) this.#heedQuotes();
  }

  #heedQuotes(): void {
    if (!this.#quotes) this.#escapes = new Escapes(true);
    this.#quotes = true;
  }

  #addForm(form: string): void {
    this.#forms.add(form);
    if (inJson(form) !== form) this.#jsonForms.add(inJson(form));
  }

  /** Adds the values of headers or variables whose names indicate credentials, and the passwords of addresses among the others. */
  addNamed(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) {
      if (NAMES.test(name)) this.addValue(value);
      if (URL.canParse(value)) this.addUrl(value);
    }
  }

  /** Adds the password of an address, and its parameters whose names indicate credentials. */
  addUrl(address: string | URL): void {
    const { protocol, username, password, searchParams } = new URL(address);
    this.add(decoded(password));
    // Over HTTP, a user without a password is a token.
    const isToken = password === '' && /^https?:$/.test(protocol) && username.length >= MIN_NAMED_SECRET;
    if (isToken) this.add(decoded(username));
    for (const [name, value] of searchParams) if (NAMES.test(name)) this.addValue(value);
  }

  /**
   * Adds a header's or variable's value without a scheme such as `Bearer`, and its parts. Those of fewer than 8
   * characters are left out, but for the password of a `Basic` header.
   */
  addValue(value: string): void {
    const parts = value.split(/[\s;,]+/, MAX_PARTS);
    // `key=abc=def`: which of its "=" ends the name is not known.
    const named = parts.flatMap((part) =>
      Array.from(part.matchAll(/=/g), ({ index }) => part.slice(index + 1)).slice(0, MAX_NAMED_PARTS),
    );
    const [, basic] = BASIC.exec(value) ?? [];
    const account = basic === undefined ? '' : Buffer.from(basic, 'base64').toString();
    const colon = account.indexOf(':');
    if (colon >= 0) this.add(account.slice(colon + 1));
    for (const secret of [value.replace(SCHEME, ''), ...parts, ...named, account]) {
      if (secret.length >= MIN_NAMED_SECRET) this.add(secret);
    }
  }

  /**
   * Redacts the credentials from a text.
   *
   * @param cut whether the text was truncated; then the beginning of a credential at its end is redacted too
   */
  redact(text: string, cut = false): string {
    const clean = this.#occursIn(text) ? this.#without(text) : text;
    return cut ? this.#withoutBeginning(clean) : clean;
  }

  /** Redacts the credentials from bytes. Returns the same bytes if there are none. */
  redactBytes(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    const clean = this.redact(text);
    return clean === text ? bytes : Buffer.from(clean, 'latin1');
  }

  /**
   * Redacts the credentials from a JSON value: from its texts, numbers and names of members, and from bytes in base64
   * that are a member `blob` or `data`. Returns the same value if there are none.
   */
  redactJson<T>(value: T): T {
    return this.#forms.size > 0 && this.#isWithin(value) ? (this.#clean(value, '', 0) as T) : value;
  }

  #isWithin(value: unknown): boolean {
    try {
      const json: string | undefined = JSON.stringify(value);
      if (json === undefined) return false;
      return hasAny(json, this.#jsonForms) || this.#occursIn(json) || this.#isInBytesOf(json);
    } catch {
      // Nested too deeply to look at it as a whole.
      return true;
    }
  }

  // Bytes may say it in any way in which a text may.
  #isInBytesOf(json: string): boolean {
    for (const { 0: beginning, index } of json.matchAll(BYTES_IN_JSON)) {
      const from = index + beginning.length;
      const digits = json.slice(from, json.indexOf('"', from)).replaceAll(/\\(?:u[\da-f]{4}|[^u])/gi, '');
      if (this.#occursIn(Buffer.from(digits, 'base64').toString('latin1'))) return true;
    }
    return false;
  }

  #clean(value: unknown, name: string, depth: number): unknown {
    if (typeof value === 'string') return BYTES.has(name) ? this.#bytes(value) : this.redact(value);
    if (typeof value === 'number') return this.redact(String(value)) === String(value) ? value : REMOVED;
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) return REMOVED;
    if (Array.isArray(value)) return value.map((item) => this.#clean(item, '', depth + 1));
    if (!isObject(value)) return value;
    const names = new Set<string>();
    const entries = Object.entries(value).map(([key, item]) => {
      const clean = this.redact(key);
      let own = clean;
      for (let number = 2; names.has(own); number++) own = `${clean} ${number}`;
      names.add(own);
      return [own, this.#clean(item, key, depth + 1)] as const;
    });
    return Object.fromEntries(entries);
  }

  #bytes(text: string): string {
    if (!BASE64.test(text.replaceAll(/\s/g, ''))) return this.redact(text);
    const bytes = Buffer.from(text, 'base64');
    const clean = this.redactBytes(bytes);
    return this.redact(clean === bytes ? text : clean.toString('base64'));
  }

  #occursIn(text: string): boolean {
    let seen = text;
    for (let layer = 0; ; layer++) {
      if (hasAny(seen, this.#forms)) return true;
      if (layer === MAX_LAYERS || this.#forms.size === 0) return false;
      const revealed = this.#escapes.revealed(seen);
      if (revealed === seen) return false;
      seen = revealed;
    }
  }

  #without(text: string): string {
    const found: (readonly [from: number, to: number])[] = [];
    let seen: RevealedText = { text };
    for (let layer = 0; ; layer++) {
      for (const place of this.#placesIn(seen)) found.push(place);
      if (layer === MAX_LAYERS) break;
      const revealed = this.#escapes.located(seen);
      if (revealed === seen) break;
      seen = revealed;
    }
    const parts: string[] = [];
    let done = 0;
    for (const [from, to] of found.toSorted(([a], [b]) => a - b)) {
      if (from > done || parts.length === 0) parts.push(text.slice(done, from), REMOVED);
      done = Math.max(done, to);
    }
    return parts.join('') + text.slice(done);
  }

  *#placesIn({ text, starts }: RevealedText): Generator<readonly [from: number, to: number]> {
    const placeOf = (index: number) => starts?.[index] ?? index;
    for (const form of this.#forms) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
        yield [placeOf(at), placeOf(at + form.length)];
      }
    }
  }

  #withoutBeginning(text: string): string {
    for (const form of this.#forms) {
      for (let length = Math.min(form.length - 1, text.length); length >= MIN_SECRET; length--) {
        if (text.endsWith(form.slice(0, length))) return `${text.slice(0, -length)}${REMOVED}`;
      }
    }
    return text;
  }
}

function hasAny(text: string, forms: ReadonlySet<string>): boolean {
  for (const form of forms) if (text.includes(form)) return true;
  return false;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
