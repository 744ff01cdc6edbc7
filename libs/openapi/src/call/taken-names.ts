/** The names in a query or in cookies that arguments must not write. */
export class TakenNames {
  readonly #parameters: ReadonlySet<string>;
  readonly #credentials: readonly string[];

  /**
   * @param parameters names of the parameters, each of which only its own argument writes
   * @param credentials names that no argument writes
   */
  constructor(parameters: readonly { readonly name: string }[], credentials: readonly string[]) {
    this.#parameters = new Set(parameters.map(({ name }) => name));
    this.#credentials = credentials.map((name) => name.toLowerCase());
  }

  /**
   * Whether an API could read a name as that of a credential: in any case, as ASP.NET does, and with a part in brackets,
   * which `qs`, Rack and PHP add to the value of the name before it.
   */
  isCredential(name: string): boolean {
    const lower = name.toLowerCase();
    return this.#credentials.some((credential) => lower === credential || lower.startsWith(`${credential}[`));
  }

  /**
   * Whether one of the written names is taken.
   *
   * @param written names as they stand in the request, encoded
   * @param own the name of the parameter that is written, if it has one
   */
  hasAnyOf(written: readonly string[], own?: string): boolean {
    return written.map(decoded).some((name) => {
      const isOther = name !== own && this.#parameters.has(name);
      // Some servers split a query at semicolons too, which `allowReserved` does not encode.
      return isOther || name.split(';').some((part) => this.isCredential(part));
    });
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // The style `cookie` encodes nothing, so its names need not be encoded text.
    return name;
  }
}
