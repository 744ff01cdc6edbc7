import { isObject, type JsonSchema } from '../../json/json.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

/** The searchable text of one tool, by field. */
export interface ToolText {
  /** The last part of the canonical name: without its namespace. */
  readonly name: string;
  readonly namespace: string;
  readonly title: string;
  readonly description: string;
  readonly tags: string;
  readonly parameterNames: string;
  readonly parameterDescriptions: string;
  /** Words a parameter may take as its value. */
  readonly enums: string;
  /** What users say who need the tool, and what its examples are said to do. */
  readonly exampleQueries: string;
  /** What the tool's source says of itself. */
  readonly sourceDescription: string;
}

// A schema is bounded when it enters the catalog; these bounds keep one tool's words in proportion to its neighbours'.
const MAX_SCHEMA_NODES = 1_000;
const MAX_SCHEMA_DEPTH = 8;
const MAX_ENUM_VALUES = 50;

/** The text of a tool by which it can be found. */
export function toolText(tool: ToolDefinition): ToolText {
  const schema = schemaText(tool.inputSchema);
  return {
    name: localName(tool),
    namespace: tool.namespace,
    title: tool.title ?? '',
    description: tool.description,
    tags: tool.tags.join(' '),
    ...schema,
    // Line breaks, as between parameters: no word pair reaches over two requests.
    exampleQueries: [...tool.exampleQueries, ...tool.examples.flatMap(({ description = [] }) => description)].join(
      '\n',
    ),
    sourceDescription: tool.sourceDescription ?? '',
  };
}

/** A canonical name without its namespace. */
export function localName(tool: ToolDefinition): string {
  return tool.namespace !== '' && tool.name.startsWith(`${tool.namespace}.`)
    ? tool.name.slice(tool.namespace.length + 1)
    : tool.name;
}

function schemaText(schema: JsonSchema): Pick<ToolText, 'parameterNames' | 'parameterDescriptions' | 'enums'> {
  const names: string[] = [];
  const descriptions: string[] = [];
  const enums: string[] = [];
  let level: unknown[] = [schema];
  let nodes = 0;
  for (let depth = 0; level.length > 0 && depth < MAX_SCHEMA_DEPTH; depth++) {
    const next: unknown[] = [];
    for (const node of level) {
      if (!isObject(node) || ++nodes > MAX_SCHEMA_NODES) continue;
      if (typeof node['description'] === 'string') descriptions.push(node['description']);
      for (const value of [...listOf(node['enum']).slice(0, MAX_ENUM_VALUES), node['const']]) {
        if (typeof value === 'string' && value.length <= 64) enums.push(value);
      }
      if (isObject(node['properties'])) {
        names.push(...Object.keys(node['properties']));
        next.push(...Object.values(node['properties']));
      }
      if (isObject(node['$defs'])) next.push(...Object.values(node['$defs']));
      if (isObject(node['definitions'])) next.push(...Object.values(node['definitions']));
      next.push(node['items'], node['additionalProperties']);
      next.push(...listOf(node['anyOf']), ...listOf(node['oneOf']), ...listOf(node['allOf']));
    }
    level = next;
  }
  // Joined by line breaks, so that no word pair reaches over two parameters.
  return { parameterNames: names.join('\n'), parameterDescriptions: descriptions.join('\n'), enums: enums.join('\n') };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
