const MIN_SECRET = 4;
const MIN_HEADER_SECRET = 8;
const REMOVED = '[removed]';

/** The credentials of one request; redacts them from the response. */
export class Secrets {
  readonly #forms = new Set<string>();

  /** Adds a credential, with the forms it may take when encoded. */
  add(secret: string): void {
    if (secret.length < MIN_SECRET) return;
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encoded(secret)]) this.#forms.add(form);
  }

  /** Adds a header's value if its name indicates a credential, with and without a scheme such as `Bearer`. */
  addHeader(name: string, value: string): void {
    if (!/auth|token|key|secret|password|cookie|credential|session/i.test(name)) return;
    for (const secret of [value, ...value.split(/[\s;,=]+/)]) if (secret.length >= MIN_HEADER_SECRET) this.add(secret);
  }

  /**
   * Redacts the credentials from a text.
   *
   * @param cut whether the text was truncated; then the beginning of a credential at its end is redacted too
   */
  struckOut(text: string, cut = false): string {
    let clean = this.#hides(text) ? unescaped(text) : text;
    for (const form of [...this.#forms].sort((a, b) => b.length - a.length)) clean = clean.replaceAll(form, REMOVED);
    return cut ? this.#withoutBeginning(clean) : clean;
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

function unescaped(text: string): string {
  return text
    .replace(/\\u00([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/');
}

function encoded(secret: string): string {
  return encodeURIComponent(Buffer.from(secret).toString());
}
