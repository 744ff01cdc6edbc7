import { _, type Ajv, type KeywordCxt } from 'ajv';
import names from 'ajv/dist/compile/names.js';
import type { JsonSchema } from '../../json/json.js';
import { schemaAt } from '../../json/json-pointer.js';

/**
 * Bounds on the cost of following references: parts of the schema times parts of the input, per part of the input and
 * in total. A million takes about 5 ms. A part counts again with each enclosing part that a reference describes; the
 * bound leaves room for ten levels of definitions with a thousand parts each.
 */
const WORK_PER_PART = 10_000;
const MAX_WORK = 100_000_000;
/** Parts added to the size of each input, so that very small inputs have a usable budget. */
const SPARE_PARTS = 20;
/** Instructions of patterns times characters of texts, in one validation. */
const MAX_PATTERN_WORK = 10_000_000;
/** Instructions of patterns that one validation compiles; a thousand take up to 3 ms. */
const MAX_COMPILED = 15_000;

interface Budget {
  readonly input: unknown;
  /** Number of parts in each nested value of the input, counted when the first reference is followed. */
  sizes?: ReadonlyMap<unknown, number>;
  /** Results of references, by their text, for each object and list of the input. */
  readonly outcomes: Map<unknown, Map<string, boolean>>;
  work: number;
  patternWork: number;
  compiled: number;
}

// Validation is synchronous, so only one runs at a time.
let budget: Budget | undefined;

/** Runs a validation after `boundReferences`; undefined if it takes more work than its input justifies. */
export function withinBudget<T>(input: unknown, validate: () => T): T | undefined {
  budget = { input, outcomes: new Map(), work: 0, patternWork: 0, compiled: 0 };
  try {
    return validate();
  } catch (error) {
    // A schema that refers to itself without descending into the input overflows the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  } finally {
    budget = undefined;
  }
}

/** Whether a validation can still afford to match a pattern of this cost; if so, the cost is counted. */
export function affordsPattern(work: number): boolean {
  if (!budget) return true;
  if (budget.patternWork + work > MAX_PATTERN_WORK) return false;
  budget.patternWork += work;
  return true;
}

/** Whether a validation can still afford to compile a pattern. */
export function affordsCompiling(): boolean {
  return !budget || budget.compiled < MAX_COMPILED;
}

export function spendOnCompiling(instructions: number): void {
  if (budget) budget.compiled += instructions;
}

/** Keywords for which the boolean result of a reference is not enough: they need its annotations or dynamic scope. */
const NEEDS_MORE = /"(unevaluated|\$dynamic|\$recursive)/;

/**
 * Makes Ajv follow a reference once per location in the input, and count it. Otherwise a schema that refers to itself
 * twice for one location, as unions of recursive types do, doubles the work with each level of the input: 300 bytes
 * could take practically forever.
 */
export function boundReferences(ajv: Ajv, schema: JsonSchema): void {
  const reference = ajv.getKeyword('$ref');
  if (typeof reference !== 'object' || !('code' in reference)) throw new Error('Ajv has no $ref');
  const remembers = !NEEDS_MORE.test(JSON.stringify(schema));
  if (remembers) ajv.opts.unevaluated = false;
  const parts = new Map<unknown, number>();
  ajv.removeKeyword('$ref').addKeyword({
    keyword: '$ref',
    schemaType: 'string',
    error: { message: 'does not fit its definition' },
    code(context: KeywordCxt) {
      const { gen, data, it } = context;
      const target = schemaAt(schema, String(context.schema));
      const size = parts.get(target) ?? partsOf(target);
      parts.set(target, size);
      const call = (ref: (...args: never[]) => unknown) => gen.scopeValue('func', { ref });
      const follow = () => {
        gen.code(_`${call(spend)}(${size}, ${data})`);
        reference.code(context);
      };
      if (!remembers) return follow();
      const key = `${it.baseId} ${String(context.schema)}`;
      const valid = gen.let('valid', _`${call(recall)}(${key}, ${data})`);
      gen.if(
        _`${valid} === undefined`,
        () => {
          const faults = gen.const('faults', names.errors);
          gen.block(follow);
          gen.assign(valid, _`${call(remember)}(${key}, ${data}, ${names.errors} === ${faults})`);
        },
        () => gen.if(_`!${valid}`, () => context.error()),
      );
      context.ok(valid);
    },
  });
}

function recall(key: string, data: unknown): boolean | undefined {
  return budget?.outcomes.get(data)?.get(key);
}

function remember(key: string, data: unknown, valid: boolean): boolean {
  if (budget && typeof data === 'object' && data !== null) {
    const outcomes = budget.outcomes.get(data) ?? new Map<string, boolean>();
    budget.outcomes.set(data, outcomes.set(key, valid));
  }
  return valid;
}

function spend(parts: number, data: unknown): void {
  if (!budget) return;
  budget.sizes ??= sizesIn(budget.input);
  const inputSize = budget.sizes.get(budget.input) ?? 1;
  budget.work += parts * (budget.sizes.get(data) ?? 1);
  if (budget.work > Math.min(MAX_WORK, WORK_PER_PART * (inputSize + SPARE_PARTS))) {
    throw new RangeError('Validation takes more work than its input justifies.');
  }
}

/** Parts of a schema as written, at least 1. */
function partsOf(schema: unknown): number {
  return sizesIn(schema).get(schema) ?? 1;
}

/** Number of values in each object or list, including itself. */
function sizesIn(root: unknown): ReadonlyMap<unknown, number> {
  const sizes = new Map<unknown, number>();
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1;
    let size = 1;
    for (const child of Object.values(value)) size += count(child);
    sizes.set(value, size);
    return size;
  };
  count(root);
  return sizes;
}
