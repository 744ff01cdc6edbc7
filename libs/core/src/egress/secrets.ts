const MIN_SECRET = 4;
/** Shorter values are too common to be redacted where only a name suggests a credential. */
const MIN_NAMED_SECRET = 8;
/** A part of a value has at most so many names: each "=" adds forms to search for. */
const MAX_NAMED_PARTS = 16;
const REMOVED = '[removed]';
/** Headers and variables whose values are credentials. Other values, such as paths, may be part of a correct answer. */
const NAMES = /auth|token|key|secret|passw|cookie|credential|session/i;
const SCHEME = /^(basic|bearer|digest|token|apikey)\s+/i;

/**
 * The credentials of a request or connection; redacts them from what the server sends, because that may reach other
 * people than the owner of the credentials. For credentials that are not known, see `redactedText`.
 */
export class Secrets {
  readonly #forms = new Set<string>();

  /** Adds a credential of at least 4 characters, with the forms it may take when encoded. */
  add(secret: string): void {
    if (secret.length < MIN_SECRET) return;
    for (const form of [secret, inJson(secret), encodeURIComponent(Buffer.from(secret).toString())])
      this.#forms.add(form);
  }

  /** Adds the values of headers or environment variables whose names indicate credentials. */
  addNamed(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) if (NAMES.test(name)) this.addValue(value);
  }

  /**
   * Adds a header's or variable's value without a scheme such as `Bearer`, and its parts. Those of fewer than 8
   * characters are left out.
   */
  addValue(value: string): void {
    const parts = value.split(/[\s;,]+/);
    // `key=abc=def`: which of its "=" ends the name is not known.
    const named = parts.flatMap((part) =>
      Array.from(part.matchAll(/=/g), ({ index }) => part.slice(index + 1)).slice(0, MAX_NAMED_PARTS),
    );
    for (const secret of [value.replace(SCHEME, ''), ...parts, ...named]) {
      if (secret.length >= MIN_NAMED_SECRET) this.add(secret);
    }
  }

  /**
   * Redacts the credentials from a text.
   *
   * @param cut whether the text was truncated; then the beginning of a credential at its end is redacted too
   */
  redact(text: string, cut = false): string {
    let clean = this.#hides(text) ? unescaped(text) : text;
    for (const form of [...this.#forms].sort((a, b) => b.length - a.length)) clean = clean.replaceAll(form, REMOVED);
    return cut ? this.#withoutBeginning(clean) : clean;
  }

  /** Redacts the credentials from all texts of a JSON value. Returns the same value if there are none. */
  redactJson<T extends object>(value: T): T {
    if (this.#forms.size === 0) return value;
    const json = JSON.stringify(value);
    if (![...this.#forms].some((form) => json.includes(inJson(form)))) return value;
    return JSON.parse(json, (_key, item: unknown) => (typeof item === 'string' ? this.redact(item) : item)) as T;
  }

  // JSON can write any character as an escape, which would hide a credential.
  #hides(text: string): boolean {
    if (!text.includes('\\u') && !text.includes('\\/')) return false;
    const plain = unescaped(text);
    return [...this.#forms].some((form) => plain.includes(form));
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

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function unescaped(text: string): string {
  return text
    .replace(/\\u00([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/');
}
