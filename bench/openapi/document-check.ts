import { ToolCatalog, ToolEvents } from '@tool-search/core';
import { isObject, parsedJson } from '@tool-search/core/internal';
import { catalogSettings } from '@tool-search/core/testing';
import { OpenApiSource } from '@tool-search/openapi';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fittingArguments } from './fitting-arguments.js';
import { impossibleInput } from './impossible-schema.js';

/** A reason, and the number of those that it concerns. @default one */
export interface Reason {
  readonly reason: string;
  readonly count?: number;
}

/** What became of one document. */
export interface DocumentCheck {
  readonly document: string;
  /** Why nothing was loaded; undefined if the document is loaded. */
  readonly fault?: string;
  readonly tools: number;
  /** Operations and tools that were refused or changed, by reason. */
  readonly refused: readonly Reason[];
  readonly amended: readonly Reason[];
  readonly held: number;
  readonly reported: number;
  readonly unusable: readonly { readonly tool: string; readonly reason: string }[];
  readonly undecided: readonly string[];
  readonly ms: number;
}

const NOTHING = { tools: 0, refused: [], amended: [], held: 0, reported: 0, unusable: [], undecided: [] };

/** Loads one document as an application would; undefined if it is no OpenAPI or Swagger document. */
export async function documentCheck(path: string, folder: string): Promise<DocumentCheck | undefined> {
  if (!isDocument(path, readFileSync(path, 'utf8'))) return undefined;
  const document = relative(folder, path);
  const started = performance.now();
  try {
    return { document, ...(await checked(path)) };
  } catch (error) {
    return { document, ...NOTHING, fault: messageOf(error), ms: performance.now() - started };
  }
}

function isDocument(path: string, text: string): boolean {
  if (!path.endsWith('.json')) return /^["']?(?:openapi|swagger)["']?\s*:/m.test(text);
  // Most files of a folder may be something else.
  const document = text.includes('"openapi"') || text.includes('"swagger"') ? parsedJson(text) : undefined;
  return isObject(document) && ('openapi' in document || 'swagger' in document);
}

/** A source with one document, in a catalog of its own. A document that names no absolute address gets one. */
async function loaded(path: string, baseUrl?: string) {
  const bounds = { maxDocumentBytes: 1_073_741_824, ...(baseUrl !== undefined && { baseUrl }) };
  const source = new OpenApiSource({ name: 'api', document: path, ...bounds });
  const catalog = new ToolCatalog(undefined, new ToolEvents(), catalogSettings({ bootWaitMs: 600_000 }));
  const started = performance.now();
  await catalog.add(source);
  const ms = performance.now() - started;
  const [state] = catalog.sources();
  if (state?.state === 'ready') return { catalog, state, ms };
  await catalog.close();
  if (baseUrl === undefined && state?.code === 'INVALID_CONFIGURATION') return loaded(path, 'https://api.example.com');
  throw new Error(state?.reason ?? 'not loaded');
}

async function checked(path: string) {
  const { catalog, state, ms } = await loaded(path);
  const snapshot = catalog.current();
  const unusable: { tool: string; reason: string }[] = [];
  const undecided: string[] = [];
  for (const [id, tool] of snapshot.tools.entries()) {
    const executor = snapshot.executorOf(id);
    const fits = async (input: object) => 'value' in (await executor.validate(input as never));
    if (await fittingArguments(tool.inputSchema, fits)) continue;
    const reason = impossibleInput(tool.inputSchema);
    if (reason === undefined) undecided.push(tool.name);
    else unusable.push({ tool: tool.name, reason });
  }
  await catalog.close();
  return {
    tools: snapshot.tools.length,
    refused: state.refused,
    amended: state.amended,
    held: snapshot.tools.filter(({ suspicion }) => suspicion !== undefined).length,
    reported: snapshot.tools.filter(({ finding }) => finding).length,
    unusable,
    undecided,
    ms,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
