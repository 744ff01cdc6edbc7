import type { LimitStore } from '../access/limits/limit-store.js';
import type { ControlStore } from '../access/control/control-store.js';
import {
  type CallPolicyOptions,
  namedCallPolicy,
  type ToolCallPolicy,
} from '../access/call-policies/tool-call-policy.js';
import type { ToolPolicy } from '../access/policies/tool-policy.js';
import type { ToolVisibilityPolicy } from '../access/visibility-policy.js';
import type { ActivationStore } from '../activation/activation-store.js';
import type { PausedRunStore } from '../toolbox/runs/paused-run-store.js';
import type { DefinitionStore } from '../catalog/pinning/definition-store.js';
import type { TokenLedgerStore } from '../exposure/ledger/token-ledger-store.js';
import { createRuntime, type Runtime } from '../runtime/create-runtime.js';
import { parsedSettings } from '../runtime/runtime-settings.js';
import type { ToolboxOptions } from '../runtime/toolbox-options.js';
import type { ExampleQueryStore } from '../toolbox/example-queries/example-query-store.js';
import type { SearchGapStore } from '../toolbox/search-gaps/search-gap-store.js';
import { type ToolContext, toolContext } from '../tool/tool-context.js';
import { type ToolEvent, type ToolEventOf, ToolEvents } from '../tool/tool-event.js';
import type { ToolCallInterceptor } from '../tool/tool-call-interceptor.js';
import type { ToolSource } from '../tool/tool-source.js';
import type { HeldResultStore } from '../toolbox/results/held/held-result-store.js';
import { Toolbox } from '../toolbox/toolbox.js';

/** Setup of {@link openToolbox}; every field is optional. */
export interface ToolboxSetup {
  /** @default none */
  readonly sources?: readonly ToolSource[];
  readonly policy?: ToolPolicy;
  readonly visibility?: ToolVisibilityPolicy | readonly ToolVisibilityPolicy[];
  /** The application's own decisions about single calls. @default none */
  readonly callPolicies?: readonly (CallPolicyOptions & { readonly policy: ToolCallPolicy })[];
  /** The application's own stages of calls, the outermost first. @default none */
  readonly interceptors?: readonly ToolCallInterceptor[];
  /** The module's options. @default `{ exposure: 'deferred' }`, because otherwise a few tools would all be listed */
  readonly options?: ToolboxOptions;
  /** The caller. @default tenant `acme`, user `ada`, run `run-1` */
  readonly context?: ToolContext;
  /** Store of activations. @default memory */
  readonly store?: ActivationStore;
  /** Store of kill switches, stored policies, approvals and the audit trail. @default memory */
  readonly controlStore?: ControlStore;
  /** Store of the accepted definitions of sources that set `changes`. @default memory */
  readonly definitions?: DefinitionStore;
  /** Store of written example queries. @default memory */
  readonly exampleQueryStore?: ExampleQueryStore;
  /** How long the writer of example queries rests: after a failure, and until it looks again. @default as in an application */
  readonly writingWaits?: { readonly lookAgainMs: number; readonly minRetryMs: number };
  /** Store of the counters of limits. @default memory */
  readonly limitStore?: LimitStore;
  /** Store of paused runs. @default memory */
  readonly pausedRuns?: PausedRunStore;
  /** Store of token counts. @default memory */
  readonly ledgerStore?: TokenLedgerStore;
  /** Store of results that were too large for a model. @default memory */
  readonly heldResults?: HeldResultStore;
  /** Store of search gaps. @default memory */
  readonly gapStore?: SearchGapStore;
  /** Epoch milliseconds, for activations, paused runs, accepted definitions and expiry. @default the real clock */
  readonly now?: () => number;
}

/**
 * A toolbox with all services of an application: `catalog`, `policies`, `killSwitches`, `approvals`, `audit`, and so on.
 * To create a toolbox with its own context: `new Toolbox(world, contextOf)`.
 */
export interface OpenToolbox extends Omit<Runtime, 'start' | 'flush'> {
  /** The toolbox of {@link ToolboxSetup.context}. */
  readonly toolbox: Toolbox;
  /** Opens a toolbox for another request of the same application; the argument overrides the context. */
  readonly open: (context?: Partial<ToolContext>) => Toolbox;
  /** All events so far. */
  readonly happened: readonly ToolEvent[];
  /** All events of one type so far. */
  readonly eventsOf: <T extends ToolEvent['type']>(type: T) => readonly ToolEventOf<T>[];
  /** Errors that tools threw and callers did not receive; of a call policy, with its name as `tool`. */
  readonly faults: readonly { readonly tool: string; readonly error: unknown }[];
}

/** A test waits for its sources however slow the machine is; `loadTimeoutMs` ends a source that hangs. */
const PATIENCE_MS = 600_000;
const SOMEBODY: ToolContext = { tenantId: 'acme', userId: 'ada', runId: 'run-1' };

/**
 * Opens a toolbox without Nest, with the same services as in an application: catalog, index, gate, activations, runner.
 * Resolves when the sources have been loaded.
 *
 * ```ts
 * const github = new FakeSource('github', ['list_issues', { name: 'close_issue', run: () => 'closed' }]);
 * const { toolbox } = await openToolbox({ sources: [github], policy: { deny: ['github.close_*'] } });
 * ```
 */
export async function openToolbox(setup: ToolboxSetup = {}): Promise<OpenToolbox> {
  const { sources = [], visibility = [], interceptors = [], context = SOMEBODY } = setup;
  const { options = { exposure: 'deferred' } } = setup;
  const happened: ToolEvent[] = [];
  const faults: { tool: string; error: unknown }[] = [];
  const events = new ToolEvents();
  events.on('*', (event) => void happened.push(event));
  const rules = [visibility].flat();
  const stages = interceptors.map((interceptor) => ({ name: interceptor.constructor.name, interceptor }));
  const callPolicies = (setup.callPolicies ?? []).map(({ policy, ...own }) =>
    namedCallPolicy(policy.constructor.name, policy, own),
  );
  const stores = {
    activations: setup.store,
    control: setup.controlStore,
    definitions: setup.definitions,
    exampleQueries: setup.exampleQueryStore,
    gaps: setup.gapStore,
    heldResults: setup.heldResults,
    ledger: setup.ledgerStore,
    limits: setup.limitStore,
    pausedRuns: setup.pausedRuns,
  };
  const catalog = { bootWaitMs: PATIENCE_MS, ...options.catalog };
  const settings = parsedSettings({ ...options, catalog, policy: setup.policy }, 'openToolbox()');
  const { start, flush, ...runtime } = createRuntime(settings, stores, {
    events,
    visibility: () => rules,
    callPolicies: () => callPolicies,
    interceptors: () => stages,
    now: setup.now,
    writingWaits: setup.writingWaits,
    reportFault: (tool, error) => void faults.push({ tool, error }),
    reportCallPolicyFault: (policy, error) => void faults.push({ tool: policy, error }),
  });
  const open = (other: Partial<ToolContext> = {}): Toolbox => {
    const asked = toolContext({ ...context, ...other });
    return new Toolbox(runtime, () => asked);
  };
  await start(...sources);
  return {
    ...runtime,
    toolbox: open(),
    open,
    happened,
    faults,
    eventsOf: (type) => happened.filter((event): event is ToolEventOf<typeof type> => event.type === type),
    close: async () => {
      await flush();
      await runtime.close();
    },
  };
}
