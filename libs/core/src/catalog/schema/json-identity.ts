import { isObject } from '../../json/json.js';

/**
 * Tells JSON values apart, whatever the order of their keys. Every object is looked into once, however many others hold it, so
 * a value that is put together from known ones costs no more than what is new about it.
 */
export class JsonIdentity {
  readonly #ids = new Map<string, number>();
  readonly #known = new Map<object, number>();

  /** Equal for equal values, and for no others. */
  of(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
    let id = this.#known.get(value);
    if (id === undefined) this.#known.set(value, (id = this.#idOf(value)));
    return `#${id}`;
  }

  #idOf(value: object): number {
    const text = isObject(value)
      ? `{${Object.keys(value)
          .toSorted()
          .map((key) => `${JSON.stringify(key)}:${this.of(value[key])}`)
          .join()}}`
      : `[${(value as readonly unknown[]).map((item) => this.of(item)).join()}]`;
    const id = this.#ids.get(text) ?? this.#ids.size;
    this.#ids.set(text, id);
    return id;
  }
}
