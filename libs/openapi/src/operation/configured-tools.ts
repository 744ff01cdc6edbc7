import {
  globSet,
  isToolSearchError,
  type Loading,
  type SideEffects,
  type ToolDeclaration,
  type ToolExample,
} from '@tool-search/core';
import type { ApiAccess } from '../call/api-access.js';
import type { OpenApiSourceOptions } from '../openapi-source-options.js';
import { type FilteredOperation, OperationSelection } from './operation-filter.js';
import type { OperationOrigin } from './operation-origin.js';
import type { OperationPlan } from './operation-plan.js';
import { configuredTool, type ToolSettings } from './operation-tool.js';

/** Tools for the catalog, the plans of their calls, and the operations that were refused. */
export interface ConfiguredTools {
  readonly declarations: readonly ToolDeclaration[];
  readonly plans: ReadonlyMap<string, OperationPlan>;
  readonly refused: readonly { readonly operation: string; readonly reason: string }[];
}

/** The application's settings for a source's operations: which become tools, and how. */
export class OperationSettings {
  readonly #include: OperationSelection | undefined;
  readonly #exclude: OperationSelection;
  readonly #settings: ToolSettings;

  /** @throws ToolSearchError `INVALID_CONFIGURATION` for a selector that no operation could match */
  constructor(
    private readonly options: OpenApiSourceOptions,
    access: ApiAccess,
    documentOrigin: string | undefined,
    watched: boolean,
  ) {
    const { baseUrl, headers, namespace, tags = [], examples = {}, include, exclude = [] } = options;
    this.#include = include && new OperationSelection('include', include);
    this.#exclude = new OperationSelection('exclude', exclude);
    this.#settings = {
      baseUrl: typeof baseUrl === 'function' ? '' : baseUrl === undefined ? undefined : access.baseUrl(),
      documentOrigin,
      providedHeaders: new Set(
        typeof headers === 'object' ? Object.keys(headers).map((name) => name.toLowerCase()) : [],
      ),
      namespace,
      tags,
      watched,
      serverFault: (url) => access.serverFault(url),
      loadingOf: loadingOf(options.alwaysLoaded),
      sideEffectsOf: sideEffectsOf(options.sideEffects),
      examplesOf: (name): readonly Omit<ToolExample, 'tags'>[] | undefined =>
        Object.hasOwn(examples, name) ? examples[name] : undefined,
    };
  }

  /** Whether the operation becomes a tool. */
  takes(operation: FilteredOperation): boolean {
    return (this.#include?.matches(operation) ?? true) && !this.#exclude.matches(operation);
  }

  /** Settings that match no operation of a document, described in words; most likely typing errors. */
  unused(operations: readonly FilteredOperation[], schemes: readonly string[]): readonly string[] {
    const { alwaysLoaded = [], sideEffects = {}, examples = {}, auth = {} } = this.options;
    const taken = operations.filter((operation) => this.takes(operation)).map(({ name }) => name);
    const without = (option: string, globs: readonly string[]) =>
      globs.filter((glob) => !taken.some(globSet([glob]))).map((glob) => `${option} ${JSON.stringify(glob)}`);
    return [
      ...(this.#include?.unused(operations) ?? []),
      ...this.#exclude.unused(operations),
      ...without('alwaysLoaded', alwaysLoaded),
      ...without('sideEffects', Object.keys(sideEffects)),
      ...without('examples', Object.keys(examples)),
      ...Object.keys(auth).flatMap((scheme) => (schemes.includes(scheme) ? [] : [`auth ${JSON.stringify(scheme)}`])),
    ];
  }

  /**
   * Creates the tools for some origins. One that cannot be called is refused and does not affect the others. Yields
   * before each.
   */
  *tools(origins: readonly OperationOrigin[]): Generator<void, ConfiguredTools> {
    const declarations: ToolDeclaration[] = [];
    const plans = new Map<string, OperationPlan>();
    const refused: { operation: string; reason: string }[] = [];
    for (const origin of origins) {
      yield;
      try {
        const { declaration, plan } = configuredTool(origin, this.#settings);
        declarations.push(declaration);
        plans.set(origin.name, plan);
      } catch (error) {
        const reason = isToolSearchError(error) ? error.message : 'the operation is malformed';
        refused.push({ operation: `${origin.method} ${origin.path}`, reason });
      }
    }
    return { declarations, plans, refused: [...refused, ...this.#silenced([...plans.values()])] };
  }

  // Reports credentials that are never sent; otherwise the operator could not find the cause.
  #silenced(plans: readonly OperationPlan[]): { operation: string; reason: string }[] {
    const { auth, headers } = this.options;
    const [other] = plans.filter(({ trusted }) => !trusted);
    if (this.#settings.documentOrigin === undefined || !other || (auth ?? headers) === undefined) return [];
    const reason = `tools are called at ${other.baseUrl.slice(0, 80)}, not where the document is, so they get no credentials`;
    return [{ operation: 'baseUrl is missing', reason }];
  }
}

function loadingOf(globs: readonly string[] = []): (name: string) => Loading | undefined {
  const always = globSet(globs);
  return (name) => (always(name) ? 'always' : undefined);
}

function sideEffectsOf(byGlob: Readonly<Record<string, SideEffects>> = {}): (name: string) => SideEffects | undefined {
  const rules = Object.entries(byGlob).map(([glob, effects]) => ({ matches: globSet([glob]), effects }));
  return (name) => rules.find(({ matches }) => matches(name))?.effects;
}
