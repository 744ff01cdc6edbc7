import { createHash } from 'node:crypto';
import type { JsonObject, JsonSchema, JsonValue, ToolDeclaration } from '@tool-search/core';
import { globMatches, globSet, hasRemoved, isObject, type ItemKind } from '@tool-search/core/internal';
import type { McpSourceSettings } from '../mcp-source-options.js';
import { toolAppReader } from '../apps/tool-app.js';
import type { AppPage } from '@tool-search/core/source';
import { outputCheck } from './output-check.js';
import { headerFault } from './tool-headers.js';

/** A tool of a server: its declaration, and the data that a call needs. */
export interface McpTool {
  readonly declaration: ToolDeclaration;
  readonly rawName: string;
  /** The schema as the server sent it. */
  readonly inputSchema: unknown;
  /** Checks structured content against the tool's output schema. */
  readonly fits: (structured: unknown) => boolean;
  /** Set for a context item; `rawName` is then the URI, the template or the prompt's name. */
  readonly kind?: ItemKind;
  /** Set for a page of MCP Apps, whose `kind` is `resource`. */
  readonly page?: AppPage;
  /** The server's own address of the tool's page. */
  readonly pageUri?: string;
}

export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

const MAX_NAME = 128;
/** Of a longer name only the readable form in the catalog is searched. */
const MAX_SHOWN_NAME = 256;
/** Its server knows it by another name than the one that may be shown. */
export const NAME_REMOVED = 'what identifies it contains a credential of the connection, which was removed';
const LEGAL = /^[A-Za-z0-9_.-]+$/;

/**
 * Returns the function that converts listed tools into declarations. It passes malformed entries on unchanged, so that
 * the catalog rejects only these, each with a reason. It returns undefined for tools that `include` or `exclude` leaves
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
  const appOf = toolAppReader(settings);
  const fitsOf = settings.validateOutput === false ? () => () => true : outputCheck;
  const maxName = MAX_NAME - `${settings.namespace ?? settings.name}.`.length;
  return (raw, server) => {
    const tool = isObject(raw) ? raw : {};
    const rawName = textOf(tool['name']) ?? '';
    if (rawName !== '' && (!included(rawName) || excluded(rawName))) return undefined;
    const name = foldName(rawName, maxName);
    const isFolded = name !== rawName && rawName.length <= MAX_SHOWN_NAME;
    if (hasRemoved(rawName)) return { name, reason: NAME_REMOVED };
    const { inputSchema, outputSchema } = tool;
    const reason = headerFault(inputSchema);
    if (reason !== undefined) return { name, reason };
    const hints = isObject(tool['annotations']) ? (tool['annotations'] as JsonObject) : undefined;
    const title = textOf(tool['title']) ?? textOf(hints?.['title']);
    const { app, pageUri } = appOf(tool['_meta']);
    const declaration: ToolDeclaration = {
      name,
      namespace: settings.namespace,
      // Under its own name people know a tool that the catalog has to call otherwise.
      title: title ?? (isFolded ? rawName : undefined),
      description:
        textOf(tool['description']) ?? title ?? `The tool ${rawName} of ${settings.name}, without a description.`,
      tags: settings.tags,
      sideEffects: effectsOf(rawName) ?? 'external',
      inputSchema: inputSchema as JsonSchema | undefined,
      outputSchema: isObject(outputSchema) ? outputSchema : undefined,
      examples: examplesOf(rawName),
      loading: always(rawName) ? 'always' : undefined,
      annotations: hints,
      extra: isFolded ? { name: rawName } : undefined,
      app,
      origin: { tool: raw as JsonValue, ...(server === undefined ? {} : { server }) },
    };
    return { declaration, rawName, inputSchema, fits: fitsOf(outputSchema), ...(pageUri !== undefined && { pageUri }) };
  };
}

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
 * A legal name for a tool: the server's own name if it is legal and short enough, otherwise a readable form, `_` and 8
 * hexadecimal digits of its SHA-256. Depends on the name alone, so other tools cannot change it.
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
