import { isObject, type JsonSchema } from '../../json/json.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

/** The searchable text of one tool, by field. */
export interface ToolText {
  /** The last part of the canonical name, without the namespace. */
  readonly name: string;
  readonly namespace: string;
  /** The title, and the source's own name of the tool where the catalog has another. */
  readonly title: string;
  readonly description: string;
  readonly tags: string;
  readonly parameterNames: string;
  readonly parameterDescriptions: string;
  /** Text values that a parameter may have. */
  readonly enums: string;
  /** Example queries of users, and the descriptions of the tool's examples. */
  readonly exampleQueries: string;
  /** The description of the tool's source. */
  readonly sourceDescription: string;
}

// Schemas are bounded when they enter the catalog; these limits keep the text of one tool in proportion to others.
const MAX_SCHEMA_NODES = 1_000;
const MAX_SCHEMA_DEPTH = 8;
const MAX_ENUM_VALUES = 50;

/** The text by which a tool can be found, by field. */
export function toolText(tool: ToolDefinition): ToolText {
  const schema = schemaText(tool.inputSchema);
  return {
    name: localName(tool),
    namespace: tool.namespace,
    title: titleText(tool),
    description: tool.description,
    tags: tool.tags.join(' '),
    ...schema,
    // Joined by line breaks, so that no word pair spans two requests.
    exampleQueries: [
      ...tool.exampleQueries,
      ...(tool.added?.queries ?? []),
      ...tool.examples.flatMap(({ description = [] }) => description),
    ].join('\n'),
    sourceDescription: tool.sourceDescription ?? '',
  };
}

// Two lines, so that no word pair spans them.
function titleText(tool: ToolDefinition): string {
  const own = ownName(tool);
  return [tool.title, own === tool.title ? undefined : own].filter((text) => text !== undefined).join('\n');
}

/** The source's own name of a tool, where the catalog has another because not every provider would accept it. */
export function ownName({ extra }: ToolDefinition): string | undefined {
  const name = extra?.['name'];
  return typeof name === 'string' ? name : undefined;
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
  // Joined by line breaks, so that no word pair spans two parameters.
  return { parameterNames: names.join('\n'), parameterDescriptions: descriptions.join('\n'), enums: enums.join('\n') };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
