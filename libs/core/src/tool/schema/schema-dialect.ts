/** A dialect of JSON Schema that arguments can be checked in. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07';

const OFFICIAL =
  /^https?:\/\/json-schema\.org\/(?:draft[-/](2020-12|2019-09|next|0[4-7])(?:\/|$))?(?:(?:hyper-)?schema)?\/?#?$/;
const CURRENT = /\/(?:2020-12|draft-07)\/schema#?$/;

/**
 * The dialect to read a schema in, by its `$schema`; undefined for one that is not known. Draft-04 and draft-06 are read as
 * draft-07, which took hardly anything away; what names none, or no particular one, as 2020-12.
 */
export function dialectOf(schema: { readonly $schema?: unknown }): Dialect | undefined {
  const { $schema } = schema;
  if ($schema === undefined || $schema === null || $schema === '') return '2020-12';
  if (typeof $schema !== 'string') return undefined;
  // The dialect of OpenAPI 3.1 is 2020-12 with some words of its own.
  if ($schema.startsWith('https://spec.openapis.org/oas/3.1/dialect/')) return '2020-12';
  const official = OFFICIAL.exec($schema);
  if (!official) return undefined;
  const version = official[1] ?? '2020-12';
  if (version === '2019-09') return '2019-09';
  return version.startsWith('0') ? 'draft-07' : '2020-12';
}

/** Whether a schema can be shown to a model with the `$schema` that it has: 2020-12, draft-07 or none. */
export function hasCurrentDialect(schema: { readonly $schema?: unknown }): boolean {
  const { $schema } = schema;
  if ($schema === undefined) return true;
  return typeof $schema === 'string' && dialectOf(schema) !== undefined && CURRENT.test($schema);
}
