import { AuditTrail } from '../access/control/audit-trail.js';
import { ControlPlane } from '../access/control/control-plane.js';
import type { ControlStore } from '../access/control/control-store.js';
import { MemoryControlStore } from '../access/control/memory-control-store.js';
import { KillSwitches } from '../access/kill-switches/kill-switches.js';
import { StoredPolicies } from '../access/policies/stored-policies.js';
import { ToolApprovals } from '../access/approvals/tool-approvals.js';
import { ToolGate } from '../access/tool-gate.js';
import { ToolPolicies } from '../access/policies/tool-policies.js';
import type { ToolPolicy } from '../access/policies/tool-policy.js';
import { ToolQuarantine } from '../access/quarantine/tool-quarantine.js';
import type { ToolVisibilityPolicy } from '../access/visibility-policy.js';
import type { ActivationStore } from '../activation/activation-store.js';
import { MemoryActivationStore } from '../activation/memory-activation-store.js';
import type { PausedRunStore } from '../activation/runs/paused-run-store.js';
import { ToolActivations } from '../activation/tool-activations.js';
import type { DefinitionStore } from '../catalog/pinning/definition-store.js';
import { ToolCatalog } from '../catalog/tool-catalog.js';
import { exposureMode } from '../exposure/exposure-mode.js';
import {
  type AssembledServices,
  exposureOptions,
  type ToolboxOptions,
  assembleToolboxServices,
} from '../exposure/assemble-toolbox-services.js';
import type { TokenLedgerStore } from '../exposure/ledger/token-ledger-store.js';
import { reservedNames, withPreset } from '../exposure/with-preset.js';
import type { SearchGapStore } from '../search/gaps/search-gap-store.js';
import { MemoryToolIndex } from '../search/memory/memory-tool-index.js';
import { type ToolContext, toolContext } from '../tool/tool-context.js';
import { type ToolEvent, type ToolEventOf, ToolEvents } from '../tool/tool-event.js';
import type { ToolSource } from '../tool/tool-source.js';
import { Toolbox } from '../toolbox/toolbox.js';

/** Setup of {@link openToolbox}; every field is optional. */
export interface ToolboxSetup {
  /** @default none */
  readonly sources?: readonly ToolSource[];
  readonly policy?: ToolPolicy;
  readonly visibility?: ToolVisibilityPolicy | readonly ToolVisibilityPolicy[];
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
  /** Store of paused runs. @default memory */
  readonly pausedRuns?: PausedRunStore;
  /** Store of token counts. @default memory */
  readonly ledgerStore?: TokenLedgerStore;
  /** Store of search gaps. @default memory */
  readonly gapStore?: SearchGapStore;
  /** Epoch milliseconds, for activations, paused runs, accepted definitions and expiry. @default the real clock */
  readonly now?: () => number;
}

/** A toolbox with all services of an application. */
export interface OpenToolbox {
  /** The toolbox of {@link ToolboxSetup.context}. */
  readonly toolbox: Toolbox;
  /** Opens a toolbox for another request of the same application; the argument overrides the context. */
  readonly open: (context?: Partial<ToolContext>) => Toolbox;
  /** Services of toolboxes, to create one with its own context: `new Toolbox(services, contextOf)`. */
  readonly services: AssembledServices;
  readonly catalog: ToolCatalog;
  readonly policies: ToolPolicies;
  readonly gate: ToolGate;
  readonly control: ControlPlane;
  readonly killSwitches: KillSwitches;
  readonly storedPolicies: StoredPolicies;
  readonly approvals: ToolApprovals;
  readonly quarantine: ToolQuarantine;
  readonly audit: AuditTrail;
  readonly activations: ToolActivations;
  /** All events so far. */
  readonly happened: readonly ToolEvent[];
  /** All events of one type so far. */
  readonly eventsOf: <T extends ToolEvent['type']>(type: T) => readonly ToolEventOf<T>[];
  /** Errors that tools threw and callers did not receive. */
  readonly faults: readonly { readonly tool: string; readonly error: unknown }[];
  readonly close: () => Promise<void>;
}

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
  const { sources = [], visibility = [], context = SOMEBODY } = setup;
  const options = withPreset(setup.options ?? { exposure: 'deferred' });
  const happened: ToolEvent[] = [];
  const faults: { tool: string; error: unknown }[] = [];
  const events = new ToolEvents();
  events.on('*', (event) => void happened.push(event));

  const policies = new ToolPolicies(setup.policy);
  const rules = [visibility].flat();
  const control = new ControlPlane(setup.controlStore ?? new MemoryControlStore(), events, options.control);
  const { deadlineMs } = options.visibility ?? {};
  const gate = new ToolGate({
    policies,
    visibility: () => rules,
    control,
    ...(deadlineMs !== undefined && { deadlineMs }),
    ...(setup.now && { now: setup.now }),
  });
  const isOff = exposureMode(exposureOptions(options.exposure).mode ?? 'auto') === 'all';
  const index = isOff ? undefined : (options.index ?? new MemoryToolIndex());
  const { defaultLoading, alwaysLoaded } = options;
  const catalogOptions = {
    ...options.catalog,
    ...(defaultLoading && { defaultLoading }),
    ...(alwaysLoaded && { alwaysLoaded }),
    takenNames: reservedNames(options),
  };
  const catalog = new ToolCatalog(index, events, catalogOptions, setup.definitions, setup.now);
  const store = setup.store ?? new MemoryActivationStore();
  const activations = new ToolActivations(store, new MemoryActivationStore(), events, options.activation, setup.now);
  const approvals = new ToolApprovals(control, events, options.approvals, setup.now);
  const services = assembleToolboxServices(options, {
    catalog,
    gate,
    control,
    approvals,
    activations,
    events,
    index,
    pausedRuns: setup.pausedRuns,
    ledgerStore: setup.ledgerStore,
    gapStore: setup.gapStore,
    now: setup.now,
    reportFault: (tool, error) => void faults.push({ tool, error }),
  });

  const open = (other: Partial<ToolContext> = {}): Toolbox => {
    const asked = toolContext({ ...context, ...other });
    return new Toolbox(services, () => asked);
  };
  await control.start();
  await catalog.add(...sources);
  const tools = () => catalog.tools();
  return {
    toolbox: open(),
    control,
    killSwitches: new KillSwitches(control, events, tools, setup.now, reservedNames(options)),
    storedPolicies: new StoredPolicies(control, events, index, setup.now),
    approvals,
    quarantine: new ToolQuarantine(control, events, tools, catalog, setup.now),
    audit: new AuditTrail(control, setup.now),
    open,
    services,
    catalog,
    policies,
    gate,
    activations,
    happened,
    faults,
    eventsOf: (type) => happened.filter((event): event is ToolEventOf<typeof type> => event.type === type),
    close: async () => {
      await control.stop();
      await Promise.all([services.tenantSources?.close(), catalog.close()]);
    },
  };
}
