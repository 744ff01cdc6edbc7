import { createHash } from 'node:crypto';
import type { JsonObject, JsonSchema, JsonValue, ToolDeclaration } from '@tool-search/core';
import { hasRemoved, isObject, type ItemKind } from '@tool-search/core/internal';
import type { McpSourceSettings } from '../mcp-source-options.js';
import { foldName, type LeftOut, type McpTool, NAME_REMOVED } from '../tools/tool-declaration.js';
import { exposedRule } from './exposed-items.js';

const MAX_NAME = 128;
const MAX_ARGUMENTS = 50;
const LEGAL_ARGUMENT = /^[a-zA-Z0-9_.-]{1,64}$/;
const PREFIX = { resource: 'resources.', resource_template: 'resources.', prompt: 'prompts.' } as const;
/** The arguments of a resource: none. */
export const NO_INPUT: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };
const URI_INPUT: JsonSchema = {
  type: 'object',
  properties: { uri: { type: 'string', maxLength: 2048 } },
  required: ['uri'],
  additionalProperties: false,
};

/** Converts a listed resource, template or prompt into a declaration. Undefined for what is not exposed. */
export type ItemReader = (kind: ItemKind, raw: unknown, server?: string) => McpTool | LeftOut | undefined;

/**
 * Returns the function that converts listed context items. A prompt is named after its own name; resources and templates
 * after their URI, which identifies them: `resources.<readable URI>_<8 digits of its hash>`. Size and time of the last
 * change are dropped: they change with the content, and the definition has not changed then.
 */
export function itemReader(settings: McpSourceSettings): ItemReader {
  const isExposed = exposedRule(settings.expose);
  const room = roomFor(settings);
  return (kind, given, server) => {
    const raw = isObject(given) ? given : {};
    const rawName = textOf(raw['name']) ?? '';
    const uri = textOf(raw[kind === 'resource' ? 'uri' : 'uriTemplate']);
    const identity = kind === 'prompt' ? rawName : (uri ?? '');
    if (identity !== '' && !isExposed(kind, identity)) return undefined;
    const name = itemName(kind, identity, room);
    if (identity === '') return { name, reason: kind === 'prompt' ? 'the name is missing' : 'the URI is missing' };
    if (hasRemoved(identity)) return { name, reason: NAME_REMOVED };
    const inputSchema = kind === 'prompt' ? promptSchema(raw['arguments']) : kind === 'resource' ? NO_INPUT : URI_INPUT;
    if (typeof inputSchema === 'string') return { name, reason: inputSchema };
    const title = textOf(raw['title']);
    const declaration: ToolDeclaration = {
      name,
      namespace: settings.namespace,
      kind,
      uri: kind === 'prompt' ? undefined : uri,
      mimeType: kind === 'prompt' ? undefined : textOf(raw['mimeType']),
      title,
      description: textOf(raw['description']) ?? title ?? (rawName === '' ? identity : rawName),
      tags: settings.tags,
      sideEffects: 'read',
      inputSchema,
      annotations: withoutTimes(raw['annotations']),
      // The protocol's own name of a resource, which need not be unique.
      extra: rawName === '' ? undefined : { name: rawName },
      origin: {
        kind,
        item: { ...withoutSize(raw), annotations: withoutTimes(raw['annotations']) } as unknown as JsonValue,
        ...(server === undefined ? {} : { server }),
      },
    };
    return { declaration, rawName: identity, inputSchema, fits: () => true, kind };
  };
}

/** Characters of an item's name after the namespace. */
export function roomFor({ namespace, name }: McpSourceSettings): number {
  return MAX_NAME - `${namespace ?? name}.`.length;
}

/** A legal name for an item, which depends on what identifies it alone. */
export function itemName(kind: ItemKind, identity: string, room: number): string {
  const prefix = PREFIX[kind];
  const left = Math.max(room - prefix.length, 16);
  if (kind === 'prompt') return `${prefix}${foldName(identity, left)}`;
  const digest = createHash('sha256').update(`${kind} ${identity}`).digest('hex').slice(0, 8);
  const readable = identity
    .slice(0, 2048)
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^[_.]+|[_.]+$/g, '');
  return `${prefix}${readable.slice(0, left - digest.length - 1)}_${digest}`;
}

/** The schema of a prompt's arguments, all of them texts; otherwise why they cannot be used. */
function promptSchema(given: unknown): JsonSchema | string {
  const listed: readonly unknown[] = Array.isArray(given) ? given : [];
  if (listed.length > MAX_ARGUMENTS) return `it has more than ${MAX_ARGUMENTS} arguments`;
  // A map: on an object, the name `__proto__` would replace its prototype instead of being a member.
  const properties = new Map<string, JsonObject>();
  const required: string[] = [];
  for (const each of listed) {
    const argument = isObject(each) ? each : {};
    const name = argument['name'];
    if (typeof name === 'string' && hasRemoved(name)) return `an argument: ${NAME_REMOVED}`;
    if (typeof name !== 'string' || !LEGAL_ARGUMENT.test(name)) {
      return 'the name of an argument must be 1 to 64 of letters, digits, "_", "-" and "."';
    }
    if (properties.has(name)) return 'it has two arguments of the same name';
    const title = textOf(argument['title']);
    const description = textOf(argument['description']);
    properties.set(name, {
      type: 'string',
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
    });
    if (argument['required'] === true) required.push(name);
  }
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: { type: 'string' },
  };
}

/** What a server lists, without what changes with the content. */
export function withoutSize({ size: _size, annotations: _annotations, ...rest }: Record<string, unknown>) {
  return rest;
}

function withoutTimes(annotations: unknown): JsonObject | undefined {
  if (!isObject(annotations)) return undefined;
  const { lastModified: _lastModified, ...rest } = annotations;
  return Object.keys(rest).length > 0 ? (rest as JsonObject) : undefined;
}

/** A text that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
