import { createHash } from 'node:crypto';
import {
  globMatches,
  globSet,
  isObject,
  type JsonObject,
  type JsonSchema,
  type SideEffects,
  type ToolDeclaration,
} from '@tool-search/core';
import type { McpSourceSettings } from './mcp-source-options.js';

/** A tool of a server: as the catalog gets it, and what a call needs to know. */
export interface McpTool {
  readonly declaration: ToolDeclaration;
  /** The name the server knows it by. */
  readonly rawName: string;
  /** As the server sent it. */
  readonly inputSchema: unknown;
}

const MAX_NAME = 128;
const LEGAL = /^[A-Za-z0-9_.-]+$/;

/**
 * Turns what a server lists into declarations. An entry that is malformed is handed over as it came, so that the
 * catalog refuses that one with a reason and keeps the others.
 */
export function toolReader(settings: McpSourceSettings): (raw: unknown) => McpTool | undefined {
  const included = settings.include ? globSet(settings.include) : () => true;
  const excluded = globSet(settings.exclude ?? []);
  const effects = Object.entries(settings.sideEffects ?? {});
  const maxName = MAX_NAME - `${settings.namespace ?? settings.name}.`.length;
  return (raw) => {
    const tool = isObject(raw) ? raw : {};
    const rawName = textOf(tool['name']) ?? '';
    if (rawName !== '' && (!included(rawName) || excluded(rawName))) return undefined;
    const hints = isObject(tool['annotations']) ? (tool['annotations'] as JsonObject) : undefined;
    const title = textOf(tool['title']) ?? textOf(hints?.['title']);
    const sideEffects: SideEffects = effects.find(([glob]) => globMatches(glob, rawName))?.[1] ?? 'external';
    const declaration: ToolDeclaration = {
      name: foldName(rawName, maxName),
      namespace: settings.namespace,
      title,
      description:
        textOf(tool['description']) ?? title ?? `The tool ${rawName} of ${settings.name}, without a description.`,
      tags: settings.tags,
      sideEffects,
      inputSchema: tool['inputSchema'] as JsonSchema | undefined,
      outputSchema: isObject(tool['outputSchema']) ? tool['outputSchema'] : undefined,
      annotations: hints,
    };
    return { declaration, rawName, inputSchema: tool['inputSchema'] };
  };
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
