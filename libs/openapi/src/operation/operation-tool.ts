import {
  type JsonSchema,
  type Loading,
  type SideEffects,
  type ToolDeclaration,
  type ToolExample,
} from '@tool-search/core';
import { refusal } from '../document/document-references.js';
import { type OperationOrigin, remembered } from './operation-origin.js';
import type { OperationPlan } from './operation-plan.js';
import { joined } from '../call/operation-request.js';

/** The application's settings for all tools of a source. */
export interface ToolSettings {
  /** The operator's base URL for all calls; `''` if a function returns it at the call. */
  readonly baseUrl?: string;
  /** Origin of the document's address. Without a base URL, credentials are sent to this origin only. */
  readonly documentOrigin?: string;
  /** Names of the operator's headers, in lower case. */
  readonly providedHeaders: ReadonlySet<string>;
  readonly namespace?: string;
  readonly tags: readonly string[];
  /** Whether tools carry their origin, because changes are tracked. */
  readonly watched: boolean;
  /** Returns why a URL named by the document is not allowed; undefined if it is. */
  serverFault(url: string): string | undefined;
  loadingOf(name: string): Loading | undefined;
  sideEffectsOf(name: string): SideEffects | undefined;
  examplesOf(name: string): readonly Omit<ToolExample, 'tags'>[] | undefined;
}

/** A tool for the catalog, and the plan of its calls. */
export interface ConfiguredTool {
  readonly declaration: ToolDeclaration;
  readonly plan: OperationPlan;
}

const NOT_KNOWN_YET = 'http://own.invalid';

/**
 * Creates a tool from an operation's description and the application's settings.
 *
 * @throws ToolSearchError `INVALID_TOOL` if the document's server or path cannot be called
 */
export function configuredTool(origin: OperationOrigin, settings: ToolSettings): ConfiguredTool {
  const { name, method, path } = origin;
  const baseUrl = settings.baseUrl ?? documentServer(origin, settings);
  checkPath(origin, baseUrl || NOT_KNOWN_YET);
  const taken = origin.headers.filter((header) => settings.providedHeaders.has(header.name.toLowerCase()));
  const sideEffects = settings.sideEffectsOf(name) ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'write');
  const examples = settings.examplesOf(name);
  const loading = settings.loadingOf(name);
  return {
    declaration: {
      name,
      description: origin.description,
      tags: [...new Set([...origin.tags, ...settings.tags])],
      sideEffects,
      inputSchema: withoutArguments(
        origin.inputSchema,
        taken.map(({ argument }) => argument),
      ),
      ...(origin.deprecated ? { deprecated: {} } : {}),
      ...(settings.namespace === undefined ? {} : { namespace: settings.namespace }),
      ...(examples ? { examples } : {}),
      ...(loading ? { loading } : {}),
      // Part of the definition's hash, so that a tool with another target counts as changed.
      extra: { method, path },
      ...(settings.watched ? { origin: remembered(origin) } : {}),
    },
    plan: {
      method,
      baseUrl,
      trusted: isTrusted(origin, settings),
      segments: origin.segments,
      query: origin.query,
      headers: origin.headers.filter((header) => !taken.includes(header)),
      ...(origin.body ? { body: origin.body } : {}),
      security: origin.security,
    },
  };
}

function documentServer({ server }: OperationOrigin, settings: ToolSettings): string {
  if (server === '') throw refusal('the document names no usable server for it; set baseUrl of this source');
  const fault = settings.serverFault(server);
  if (fault !== undefined) throw refusal(fault);
  return server;
}

// An untrusted document may name any server, so credentials are sent only to the operator's base URL or to the
// document's own origin.
function isTrusted({ server, home }: OperationOrigin, { baseUrl, documentOrigin }: ToolSettings): boolean {
  if (baseUrl !== undefined) return true;
  return documentOrigin === undefined ? home : new URL(server).origin === documentOrigin;
}

function checkPath({ segments }: OperationOrigin, baseUrl: string): void {
  const sample = segments
    .map((parts) => `/${parts.map((part) => (typeof part === 'string' ? part : 'x')).join('')}`)
    .join('');
  if (!joined(baseUrl, sample)) throw refusal('its path is not a plain path');
}

function withoutArguments(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema;
  const isKept = (name: unknown) => !names.includes(String(name));
  const { properties, required, ...rest } = schema as { properties: object; required?: readonly string[] };
  const stillRequired = required?.filter(isKept) ?? [];
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isKept(name))),
    ...(stillRequired.length > 0 ? { required: stillRequired } : {}),
  };
}
