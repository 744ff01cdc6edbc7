import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, type ToolDefinition } from '@tool-search/core';
import { definitionOf, sortedByName } from './tool-definitions.js';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const MAX_REF_DEPTH = 4;

/** GitHub's REST API as tools: a real catalog of over a thousand that the project's dependencies bring. */
export function githubOperations(): ToolDefinition[] {
  const folder = dirname(require.resolve('@octokit/openapi/package.json'));
  const document: unknown = JSON.parse(readFileSync(join(folder, 'generated/api.github.com.json'), 'utf8'));
  const paths = isObject(document) && isObject(document['paths']) ? Object.values(document['paths']) : [];
  const operations = paths.filter(isObject).flatMap((path) => METHODS.map((method) => path[method]).filter(isObject));
  return sortedByName(operations.map((operation) => operationTool(operation, document)));
}

function operationTool(operation: Record<string, unknown>, document: unknown): ToolDefinition {
  const properties: Record<string, unknown> = {};
  for (const reference of listOf(operation['parameters'])) {
    const parameter = resolved(reference, document);
    if (!isObject(parameter)) continue;
    const schema = isObject(parameter['schema']) ? inlined(parameter['schema'], document, 0) : {};
    properties[textOf(parameter['name'])] = {
      ...(isObject(schema) && schema),
      description: textOf(parameter['description']),
    };
  }
  const body = inlined(
    at(resolved(operation['requestBody'], document), 'content', 'application/json', 'schema'),
    document,
    0,
  );
  if (isObject(body) && isObject(body['properties'])) Object.assign(properties, body['properties']);
  const summary = textOf(operation['summary']);
  return definitionOf({
    name: textOf(operation['operationId']).replaceAll('/', '_'),
    namespace: 'github',
    description: [summary, textOf(operation['description'])].filter((text) => text !== '').join('\n\n'),
    tags: listOf(operation['tags']).map(textOf),
    inputSchema: { type: 'object', properties },
  });
}

function inlined(schema: unknown, document: unknown, depth: number): unknown {
  if (depth > MAX_REF_DEPTH) return {};
  if (Array.isArray(schema)) return schema.map((item) => inlined(item, document, depth));
  if (!isObject(schema)) return schema;
  if (typeof schema['$ref'] === 'string') return inlined(resolved(schema, document), document, depth + 1);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inlined(value, document, depth)]));
}

function resolved(value: unknown, document: unknown): unknown {
  if (!isObject(value) || typeof value['$ref'] !== 'string') return value;
  return at(document, ...value['$ref'].replace('#/', '').split('/'));
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
