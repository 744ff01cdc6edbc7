import { createHash } from 'node:crypto';
import {
  globMatches,
  globSet,
  isObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type ToolDeclaration,
} from '@tool-search/core';
import type { McpSourceSettings } from '../mcp-source-options.js';
import { outputCheck } from './output-check.js';
import { headerFault } from './tool-headers.js';

/** A tool of a server: as the catalog gets it, and what a call needs to know. */
export interface McpTool {
  readonly declaration: ToolDeclaration;
  /** The name the server knows it by. */
  readonly rawName: string;
  /** As the server sent it. */
  readonly inputSchema: unknown;
  /** Whether structured content is what the tool says it answers with. */
  readonly fits: (structured: unknown) => boolean;
}

/** A tool that may not be handed over, and why. */
export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

const MAX_NAME = 128;
const LEGAL = /^[A-Za-z0-9_.-]+$/;

/**
 * Turns what a server lists, and what it says of itself, into declarations. An entry that is malformed is handed over as it
 * came, so that the catalog refuses that one with a reason and keeps the others. Undefined for a tool that the settings leave
 * out.
 */
export function toolReader(
  settings: McpSourceSettings,
): (raw: unknown, server?: string) => McpTool | LeftOut | undefined {
  const included = settings.include ? globSet(settings.include) : () => true;
  const excluded = globSet(settings.exclude ?? []);
  const always = globSet(settings.alwaysLoaded ?? []);
  const effectsOf = byGlob(settings.sideEffects);
  const examplesOf = byGlob(settings.examples);
  const fitsOf = settings.validateOutput === false ? () => () => true : outputCheck;
  const maxName = MAX_NAME - `${settings.namespace ?? settings.name}.`.length;
  return (raw, server) => {
    const tool = isObject(raw) ? raw : {};
    const rawName = textOf(tool['name']) ?? '';
    if (rawName !== '' && (!included(rawName) || excluded(rawName))) return undefined;
    const name = foldName(rawName, maxName);
    const { inputSchema, outputSchema } = tool;
    const reason = headerFault(inputSchema);
    if (reason !== undefined) return { name, reason };
    const hints = isObject(tool['annotations']) ? (tool['annotations'] as JsonObject) : undefined;
    const title = textOf(tool['title']) ?? textOf(hints?.['title']);
    const declaration: ToolDeclaration = {
      name,
      namespace: settings.namespace,
      title,
      description:
        textOf(tool['description']) ?? title ?? `The tool ${rawName} of ${settings.name}, without a description.`,
      tags: settings.tags,
      sideEffects: effectsOf(rawName) ?? 'external',
      inputSchema: inputSchema as JsonSchema | undefined,
      outputSchema: isObject(outputSchema) ? outputSchema : undefined,
      examples: examplesOf(rawName),
      loading: always(rawName) ? 'always' : undefined,
      annotations: hints,
      origin: { tool: raw as JsonValue, ...(server === undefined ? {} : { server }) },
    };
    return { declaration, rawName, inputSchema, fits: fitsOf(outputSchema) };
  };
}

/** Whether a tool was left out. */
export function isLeftOut(tool: McpTool | LeftOut): tool is LeftOut {
  return 'reason' in tool;
}

function byGlob<T>(rules: Readonly<Record<string, T>> | undefined): (name: string) => T | undefined {
  const entries = Object.entries(rules ?? {});
  return (name) => entries.find(([glob]) => globMatches(glob, name))?.[1];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/**
 * A legal name for a tool: the server's own where it is legal and short enough, else a readable form of it, `_` and 8
 * hexadecimal digits of its SHA-256. It depends on nothing but the name, so no other tool can change it or meet it.
 */
export function foldName(rawName: string, maxLength: number): string {
  if (rawName === '' || (LEGAL.test(rawName) && rawName.length <= maxLength)) return rawName;
  const readable = rawName
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '_');
  const digest = createHash('sha256').update(rawName).digest('hex').slice(0, 8);
  return `${readable.slice(0, maxLength - digest.length - 1)}_${digest}`;
}
