/** A JSON Schema dialect in which arguments can be checked. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07';

const OFFICIAL =
  /^https?:\/\/json-schema\.org\/(?:draft[-/](2020-12|2019-09|next|0[4-7])(?:\/|$))?(?:(?:hyper-)?schema)?\/?#?$/;
const CURRENT = /\/(?:2020-12|draft-07)\/schema#?$/;

/**
 * The dialect by `$schema` (2020-12 without one or a version); undefined if not supported. Drafts 4 and 6 are read as
 * draft-07, which is almost fully compatible with them.
 */
export function dialectOf(schema: { readonly $schema?: unknown }): Dialect | undefined {
  const { $schema } = schema;
  if ($schema === undefined || $schema === null || $schema === '') return '2020-12';
  if (typeof $schema !== 'string') return undefined;
  // The dialect of OpenAPI 3.1 is 2020-12 with additional keywords.
  if ($schema.startsWith('https://spec.openapis.org/oas/3.1/dialect/')) return '2020-12';
  const official = OFFICIAL.exec($schema);
  if (!official) return undefined;
  const version = official[1] ?? '2020-12';
  if (version === '2019-09') return '2019-09';
  return version.startsWith('0') ? 'draft-07' : '2020-12';
}

/** Whether models can receive the schema with its `$schema` unchanged: 2020-12, draft-07 or none. */
export function hasCurrentDialect(schema: { readonly $schema?: unknown }): boolean {
  const { $schema } = schema;
  if ($schema === undefined) return true;
  return typeof $schema === 'string' && dialectOf(schema) !== undefined && CURRENT.test($schema);
}
