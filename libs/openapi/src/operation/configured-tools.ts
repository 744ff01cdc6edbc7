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

/** Tools as the catalog takes them, how to call them, and what became no tool. */
export interface ConfiguredTools {
  readonly declarations: readonly ToolDeclaration[];
  readonly plans: ReadonlyMap<string, OperationPlan>;
  readonly refused: readonly { readonly operation: string; readonly reason: string }[];
}

/** What an application says of the operations of a source: which become tools, and what of them is its own. */
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

  /** Whether an operation is to become a tool. */
  takes(operation: FilteredOperation): boolean {
    return (this.#include?.matches(operation) ?? true) && !this.#exclude.matches(operation);
  }

  /** What of the settings means none of the operations of a document, in words; most likely a typing error. */
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

  /** Tools from what is known of their operations; one that cannot be called spoils no other. Pauses at each. */
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

  // Credentials that go nowhere are a riddle to whoever set them.
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
