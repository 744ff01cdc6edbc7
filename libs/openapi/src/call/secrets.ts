const MIN_SECRET = 4;
const MIN_HEADER_SECRET = 8;
const REMOVED = '[removed]';

/** The credentials of one request, to strike them out of its answer should the API echo them. */
export class Secrets {
  readonly #forms = new Set<string>();

  /** A credential as it is; in an answer it may also be encoded. */
  add(secret: string): void {
    if (secret.length < MIN_SECRET) return;
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encoded(secret)]) this.#forms.add(form);
  }

  /** A header of the operator's: a credential when its name says so, with and without a scheme such as `Bearer`. */
  addHeader(name: string, value: string): void {
    if (!/auth|token|key|secret|password|cookie|credential|session/i.test(name)) return;
    for (const secret of [value, ...value.split(/[\s;,=]+/)]) if (secret.length >= MIN_HEADER_SECRET) this.add(secret);
  }

  /**
   * The text without them.
   *
   * @param cut whether the text ends before its end: the beginning of a credential at its end is struck out as well
   */
  struckOut(text: string, cut = false): string {
    let clean = this.#hides(text) ? unescaped(text) : text;
    for (const form of [...this.#forms].sort((a, b) => b.length - a.length)) clean = clean.replaceAll(form, REMOVED);
    return cut ? this.#withoutBeginning(clean) : clean;
  }

  // JSON may write any character as an escape, and so may whoever wants to get a credential through.
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
