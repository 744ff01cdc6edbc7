/** Why a text cannot be read as a document. */
export type DocumentFault = 'broken-json' | 'broken' | 'long-yaml' | 'expands' | 'deep';

export interface PortionBounds {
  readonly maxYamlBytes: number;
  /** Limit of the document in characters of JSON: YAML aliases multiply the text they refer to. */
  readonly maxChars: number;
  /** Approximate size of one portion in characters. */
  readonly portionChars: number;
}

/**
 * A container's number and its members. A member is a key with a value, or with the number and kind of a new container.
 */
export type Portion = readonly [
  container: number,
  ...members: (readonly [key: string | number, value: unknown, newContainer?: number, isList?: boolean])[],
];

/**
 * Parses a text and yields the document as JSON texts of {@link Portion}s. YAML may have at most 100 aliases, and a
 * mapping with a duplicate key is an error; each key is checked once, in linear time. The message of a thrown error is
 * a {@link DocumentFault}.
 *
 * The worker evaluates this function's source text: it must not use anything but its arguments.
 */
/* istanbul ignore next -- counters of a coverage tool do not exist in the worker */
export function* documentPortions(
  text: string,
  loadYaml: () => typeof import('yaml'),
  { maxYamlBytes, maxChars, portionChars }: PortionBounds,
): Generator<string, void> {
  const fault = (name: DocumentFault): Error => new Error(name);

  /** Makes an unquoted version such as 1.10 the text that it is where a text belongs: YAML reads the number 1.1. */
  const asWritten = (yaml: typeof import('yaml'), items: readonly { key: unknown; value: unknown }[]): void => {
    const valueOf = (name: string): unknown =>
      items.find(({ key }) => (yaml.isScalar(key) ? key.value : key) === name)?.value;
    const quote = (node: unknown): void => {
      if (yaml.isSeq(node)) for (const item of node.items) quote(item);
      const isOther = yaml.isScalar(node) && ['number', 'boolean', 'bigint'].includes(typeof node.value);
      if (isOther && node.source !== undefined) node.value = node.source;
    };
    const type = valueOf('type');
    const types: unknown[] = yaml.isSeq(type) ? type.items : [type];
    const texts = types.map((each) => (yaml.isScalar(each) ? each.value : each));
    if (texts.includes('string') && texts.every((each) => each === 'string' || each === 'null')) {
      for (const keyword of ['enum', 'const', 'default', 'example']) quote(valueOf(keyword));
    }
    if (valueOf('in') !== undefined) quote(valueOf('name'));
    const variables = valueOf('url') === undefined ? undefined : valueOf('variables');
    for (const { value: variable } of yaml.isMap(variables) ? variables.items : []) {
      for (const pair of yaml.isMap(variable) ? variable.items : []) quote(pair.value);
    }
  };

  const parsed = (): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // A leading brace means JSON; report it as broken instead of reading it as YAML flow style.
      if (/^\s*\{/.test(text)) throw fault('broken-json');
    }
    if (Buffer.byteLength(text) > maxYamlBytes) throw fault('long-yaml');
    const yaml = loadYaml();
    // The parser compares every key of a mapping with all others (quadratic), so the check is done below instead.
    const read = yaml.parseDocument(text, { uniqueKeys: false, merge: true, logLevel: 'error', prettyErrors: false });
    if (read.errors.length > 0) throw fault('broken');
    yaml.visit(read, {
      Map(_, { items }) {
        const keys = new Set<unknown>();
        for (const { key } of items) keys.add(yaml.isScalar(key) ? key.value : key);
        if (keys.size < items.length) throw fault('broken');
        asWritten(yaml, items);
      },
    });
    return read.toJS({ maxAliasCount: 100 }) as unknown;
  };

  /** Whether a value needs a portion of its own. Stops counting at the limit. */
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
      // Each container is visited once; release its memory.
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
