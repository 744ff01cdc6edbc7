import { isObject, type JsonSchema } from '../../json/json.js';
import { dialectOf, hasCurrentDialect } from '../../tool/schema/schema-dialect.js';
import { argumentNames, LEGAL_ARGUMENT } from '../ingest/argument-names.js';
import { BARRED_AT_ROOT, flattenRootSchema } from './flatten-root-schema.js';
import { repairedSchema } from './schema-repair.js';

export interface ProjectedSchema {
  /** The same object if nothing had to be changed. */
  readonly schema: JsonSchema;
  /** The source's schema in the current dialect, own root and names: it accepts exactly what the source means. */
  readonly exact: JsonSchema;
  /** Shown names of arguments by the source's own names, where they differ. */
  readonly names: ReadonlyMap<string, string>;
  /** The changes, in words for operators. */
  readonly changes: readonly string[];
}

/** Name of the definition that holds the source's own root, if parts of the schema refer to it. */
const OWN_ROOT = 'root';
/** Keywords that refer to arguments by name or apply to all of them. */
const ABOUT_NAMES = ['patternProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas', 'dependencies'];
const CONDITIONS = ['if', 'then', 'else', 'unevaluatedProperties'];

/**
 * Projects an input schema to the form that models receive: an object at its root without choices, legal argument
 * names, a current dialect. Every object that fits the source's schema fits the projection under the shown names. The
 * reverse need not hold, so arguments are checked against the source's own schema. Pure and idempotent.
 *
 * @returns a projection, or the reason why there is none
 */
export function projectedSchema(source: JsonSchema): ProjectedSchema | string {
  if (dialectOf(source) === undefined) return `$schema ${printed(source['$schema'])} is not a supported dialect`;
  const { schema: current, changes } = asCurrent(source);
  const root = isPlainRoot(current) ? current : flattenRootSchema(current);
  if (typeof root === 'string') return root;
  if (root !== current) changes.add('the root is drawn together into one object');
  const declared = withDeclaredNames(root, changes);
  const names = argumentNames(Object.keys(propertiesOf(declared)));
  if (names.size > 0) changes.add('arguments have names that every provider accepts');
  const shown = names.size > 0 ? withNames(declared, names) : declared;
  const schema = root === current && names.size === 0 ? shown : withOwnRoot(shown, current);
  return { schema, exact: current, names, changes: [...changes] };
}

/** Why a provider would refuse an input schema, by the rules that all providers share; undefined if they accept it. */
export function providerFault(schema: JsonSchema): string | undefined {
  if (schema['type'] !== 'object') return 'must describe an object at its root';
  const barred = BARRED_AT_ROOT.find((key) => key in schema);
  if (barred !== undefined) return `has ${barred} at its root`;
  if (!isObject(schema['properties'])) return 'has no properties';
  const name = Object.keys(propertiesOf(schema)).find((key) => !LEGAL_ARGUMENT.test(key));
  if (name !== undefined) return `has an argument with an illegal name: ${printed(name)}`;
  const lost = requiredOf(schema).find((key) => !Object.hasOwn(propertiesOf(schema), key));
  return lost === undefined ? undefined : `requires ${printed(lost)}, which it does not describe`;
}

/** The schema in the current dialect. If that needs changes, the result is 2020-12. */
function asCurrent(source: JsonSchema): { readonly schema: JsonSchema; readonly changes: Set<string> } {
  const { schema, changes } = repairedSchema(source);
  if (changes.size === 0 && hasCurrentDialect(source)) return { schema, changes: new Set() };
  const isDraft07 = dialectOf(source) === 'draft-07';
  const anew = isDraft07 ? repairedSchema(source, isDraft07) : { schema, changes };
  const older = hasCurrentDialect(source) ? [] : ['an older or unusual $schema is left out'];
  return { schema: without(anew.schema, '$schema'), changes: new Set([...older, ...anew.changes]) };
}

function printed(value: unknown): string {
  return JSON.stringify(value).slice(0, 100);
}

function without(schema: JsonSchema, key: string): JsonSchema {
  if (!(key in schema)) return schema;
  const { [key]: _, ...rest } = schema;
  return rest;
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, unknown>> {
  return isObject(schema['properties']) ? schema['properties'] : {};
}

function requiredOf(schema: JsonSchema): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function isPlainRoot(schema: JsonSchema): boolean {
  return schema['type'] === 'object' && !BARRED_AT_ROOT.some((key) => key in schema);
}

/** Some providers refuse an object without `properties`, and one that requires an undeclared property. */
function withDeclaredNames(schema: JsonSchema, changes: Set<string>): JsonSchema {
  const properties = propertiesOf(schema);
  const lost = requiredOf(schema).filter((name) => !Object.hasOwn(properties, name));
  if (lost.length > 0) changes.add('required arguments that nothing describes are added');
  if (lost.length === 0 && 'properties' in schema) return schema;
  return { ...schema, properties: { ...properties, ...Object.fromEntries(lost.map((name) => [name, {}])) } };
}

function withNames(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const shown = (name: string) => names.get(name) ?? name;
  const properties = Object.entries(propertiesOf(schema)).map(([name, part]) => [shown(name), part] as const);
  const dropped = new Set([...ABOUT_NAMES, ...CONDITIONS]);
  // The patterns are dropped, so additional properties must be allowed.
  if ('patternProperties' in schema) dropped.add('additionalProperties');
  const rest = Object.entries(schema).filter(([key]) => !dropped.has(key));
  return {
    ...Object.fromEntries(rest),
    properties: Object.fromEntries(properties),
    ...('required' in schema && { required: requiredOf(schema).map(shown) }),
  };
}

const NAMED_PARTS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);
const DATA = new Set(['const', 'enum', 'default', 'examples']);

/** References to the root, or into it, mean the source's own root: below the root nothing was renamed or merged. */
function withOwnRoot(shown: JsonSchema, own: JsonSchema): JsonSchema {
  const definitions = isObject(shown['$defs']) ? shown['$defs'] : {};
  let name = OWN_ROOT;
  while (Object.hasOwn(definitions, name)) name += '_';
  let isUsed = false;
  const moved = (node: unknown, isMap = false): unknown => {
    if (Array.isArray(node)) return node.map((each) => moved(each));
    if (!isObject(node)) return node;
    const parts = Object.entries(node).map(([key, part]) => {
      if (isMap) return [key, moved(part)];
      if (
        key === '$ref' &&
        typeof part === 'string' &&
        part.startsWith('#') &&
        !/^#\/(\$defs|definitions)\//.test(part)
      ) {
        isUsed = true;
        return [key, `#/$defs/${name}${part.slice(1).replace(/^\/$/, '')}`];
      }
      return [key, DATA.has(key) ? part : moved(part, NAMED_PARTS.has(key))];
    });
    return Object.fromEntries(parts) as JsonSchema;
  };
  const result = moved(shown) as JsonSchema;
  if (!isUsed) return shown;
  const { $defs: _$defs, definitions: _definitions, $schema: _$schema, $id: _$id, ...ownRoot } = own;
  return { ...result, $defs: { ...(result['$defs'] as object | undefined), [name]: moved(ownRoot) } };
}
