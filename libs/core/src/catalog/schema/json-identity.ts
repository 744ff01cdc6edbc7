import { isObject } from '../../json/json.js';

/**
 * Assigns equal ids to equal JSON values; the order of keys does not matter. Each object is visited once, even if many
 * others contain it, so a value built from known parts costs only its new parts.
 */
export class JsonIdentity {
  readonly #ids = new Map<string, number>();
  readonly #known = new Map<object, number>();

  /** The same id for equal values, different ids for different ones. */
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
