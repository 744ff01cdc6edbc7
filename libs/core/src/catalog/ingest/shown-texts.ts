import type { ToolDeclaration } from '../../tool/tool-definition.js';

/** One text of a tool, wherever it is in the definition. */
export interface ShownText {
  /** The member of the definition that contains it: `description`, `inputSchema` … */
  readonly field: string;
  readonly text: string;
  /** A parameter name, or another key chosen by the source. */
  readonly isName: boolean;
}

/** Fields that a model may see or search reads. Texts in schemas and examples can instruct it as a description can. */
// prettier-ignore
export const SHOWN_FIELDS = [
  'name', 'title', 'description', 'safetyNotes', 'costHint', 'inputSchema', 'outputSchema', 'examples',
  'exampleQueries', 'tags', 'authScopes', 'annotations', 'extra', 'uri', 'mimeType',
] as const satisfies readonly (keyof ToolDeclaration)[];

// Keys whose children are named by the source.
const NAMING = new Set('properties patternProperties $defs definitions dependentSchemas dependentRequired'.split(' '));

// Keywords of JSON Schema and MCP, which are not texts of the source.
const KEYWORDS = new Set(
  `type properties required items description title default enum const examples example format pattern minLength maxLength minimum
  maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems anyOf oneOf allOf not if then else $ref $defs
  definitions $schema $id $comment $anchor additionalProperties patternProperties propertyNames prefixItems contains minContains
  maxContains dependentSchemas dependentRequired unevaluatedProperties unevaluatedItems additionalItems readOnly writeOnly deprecated
  nullable minProperties maxProperties contentEncoding contentMediaType args tags readOnlyHint destructiveHint idempotentHint
  openWorldHint`.split(/\s+/),
);
const SILENT = new Set(['type', '$schema', 'format']);

/** All texts of a tool, in their order in the declaration, each key before its value. */
export function shownTexts(tool: Pick<ToolDeclaration, (typeof SHOWN_FIELDS)[number]>): ShownText[] {
  const texts: ShownText[] = [];
  for (const field of SHOWN_FIELDS) collect(tool[field], field, false, texts);
  return texts;
}

function collect(value: unknown, field: string, isName: boolean, texts: ShownText[]): void {
  if (typeof value === 'string') {
    if (value !== '') texts.push({ field, text: value, isName });
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, field, isName, texts);
    // A sentence may be split into several values. If no value contains a space, they are single words, not a sentence.
    const isCut = value.length > 1 && value.every((item) => typeof item === 'string') && / /.test(value.join(''));
    if (isCut) texts.push({ field, text: value.join(' '), isName });
  } else if (typeof value === 'object' && value !== null) {
    collectObject(value as Record<string, unknown>, field, isName, texts);
  }
}

function collectObject(value: Record<string, unknown>, field: string, named: boolean, texts: ShownText[]): void {
  for (const [key, child] of Object.entries(value)) {
    if (named || !KEYWORDS.has(key)) texts.push({ field, text: key, isName: true });
    else if (SILENT.has(key) && typeof child === 'string' && child.length < 64 && !child.includes(' ')) continue;
    collect(child, field, !named && NAMING.has(key) && typeof child === 'object', texts);
  }
}
