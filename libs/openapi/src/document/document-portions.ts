/** What of a text cannot be read as a document. */
export type DocumentFault = 'broken-json' | 'broken' | 'long-yaml' | 'expands' | 'deep';

/** Bounds of {@link documentPortions}. */
export interface PortionBounds {
  readonly maxYamlBytes: number;
  /** Characters that the document may have as JSON: aliases of YAML multiply what they stand for. */
  readonly maxChars: number;
  /** Characters of one portion, about. */
  readonly portionChars: number;
}

/** One portion: the number of a container, then its members: a key with a value, or with a new container's number and kind. */
export type Portion = readonly [
  container: number,
  ...members: (readonly [key: string | number, value: unknown, newContainer?: number, isList?: boolean])[],
];

/**
 * The document in a text, as JSON texts of {@link Portion}s. YAML is read with at most 100 aliases; a mapping that has a key twice is
 * refused, by one look at each key. A fault is thrown as its name.
 *
 * A worker runs this function from its own text: it may use nothing but its arguments.
 */
/* istanbul ignore next -- counters of a coverage tool do not exist in the worker */
export function* documentPortions(
  text: string,
  loadYaml: () => typeof import('yaml'),
  { maxYamlBytes, maxChars, portionChars }: PortionBounds,
): Generator<string, void> {
  const fault = (name: DocumentFault): Error => new Error(name);

  const parsed = (): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // Only flow style could be meant by a brace, and a broken JSON file is better reported than read as YAML.
      if (/^\s*\{/.test(text)) throw fault('broken-json');
    }
    if (Buffer.byteLength(text) > maxYamlBytes) throw fault('long-yaml');
    const yaml = loadYaml();
    // The parser compares every key of a mapping with all others, so it is told not to and the keys are looked at here.
    const read = yaml.parseDocument(text, { uniqueKeys: false, merge: true, logLevel: 'error', prettyErrors: false });
    if (read.errors.length > 0) throw fault('broken');
    yaml.visit(read, {
      Map(_, { items }) {
        const keys = new Set<unknown>();
        for (const { key } of items) keys.add(yaml.isScalar(key) ? key.value : key);
        if (keys.size < items.length) throw fault('broken');
      },
    });
    return read.toJS({ maxAliasCount: 100 }) as unknown;
  };

  /** Whether a value is worth a portion of its own; looks no further than it must. */
  const isLarge = (value: unknown): value is object => {
    if (typeof value !== 'object' || value === null) return false;
    const open: unknown[] = [value];
    for (let chars = 0; open.length > 0;) {
      const next = open.pop();
      chars += typeof next === 'string' ? next.length + 3 : 3;
      if (chars > portionChars) return true;
      if (typeof next !== 'object' || next === null) continue;
      for (const [key, child] of Object.entries(next)) {
        chars += key.length;
        open.push(child);
        if (chars + open.length > portionChars) return true;
      }
    }
    return false;
  };

  const containers: { readonly value: object; readonly depth: number }[] = [];
  const numberOf = (value: object, depth: number): number => {
    if (depth > 100) throw fault('deep');
    return containers.push({ value, depth }) - 1;
  };
  try {
    const document = parsed();
    if (typeof document !== 'object' || document === null) throw fault('broken');
    numberOf({ document }, 0);
    let chars = 0;
    for (let number = 0; number < containers.length; number += 1) {
      const { value: container, depth } = containers[number] as (typeof containers)[number];
      // Seen once, never again: what has been sent need not be held.
      containers[number] = { value: [], depth };
      let members: string[] = [];
      let size = 0;
      for (const [key, value] of Object.entries(container) as [string, unknown][]) {
        const member = isLarge(value)
          ? JSON.stringify([key, null, numberOf(value, depth + 1), Array.isArray(value)])
          : JSON.stringify([key, value]);
        members.push(member);
        size += member.length;
        chars += member.length;
        if (chars > maxChars) throw fault('expands');
        if (size < portionChars) continue;
        yield `[${[number, ...members].join(',')}]`;
        members = [];
        size = 0;
      }
      if (members.length > 0) yield `[${[number, ...members].join(',')}]`;
    }
  } catch (error) {
    const known = ['broken-json', 'long-yaml', 'expands', 'deep'];
    throw error instanceof Error && known.includes(error.message) ? error : fault('broken');
  }
}
