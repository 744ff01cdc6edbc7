import { object, oneOf, type OptionsOf, type SettingsOf, whole } from '../../options/options.js';
import type { PausedRun, PausedRunStore, PausedTool, RunKey } from './paused-run-store.js';
import { runDrift, type ToolDrift } from './run-drift.js';
import type { RunToolState } from './run-tool-state.js';
import { sweepOlder } from '../../activation/sweep-in-batches.js';
import type { OwnedScope, ToolActivations } from '../../activation/tool-activations.js';
import { type ToolContext, eventIds } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { guardStore } from '../../tool/store-guard.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { PauseReceipt, ResumeReply } from '../meta-tools/replies.js';
import type { ListedTool } from '../surface/surface.js';
import type { ToolView } from '../tool-views.js';

/** How a resumed run treats tools that have changed. */
export const ON_DRIFT = ['fail', 'search_again', 'continue'] as const;

/** How a resumed run treats tools whose definitions have changed. */
export type OnDrift = (typeof ON_DRIFT)[number];

export const runOptions = object({
  /**
   * Treatment of tools that changed or disappeared while a run was paused. `search_again`: they are neither offered nor
   * activated until they are found again; `continue`: changed tools stay, with their new definition; `fail`: the run
   * does not resume.
   * @default 'search_again'
   */
  onDrift: oneOf(...ON_DRIFT).default('search_again'),
  /** Milliseconds for which a paused run can be resumed; 0 = no limit. @default 604800000 (7 days) */
  ttlMs: whole(0, 31_536_000_000).default(604_800_000),
});

export interface RunOptions extends OptionsOf<typeof runOptions> {}

/** Options of one `resume` call. */
export interface ResumeOptions {
  /** @default the module's `runs.onDrift` */
  readonly onDrift?: OnDrift;
}

export interface RunInPlay {
  readonly context: ToolContext;
  readonly view: ToolView;
  readonly state: RunToolState;
  /** Undefined where everything is always listed, so that nothing is activated. */
  readonly scope: OwnedScope | undefined;
  /** A number for the operators' rules that concern this run: see `ToolGate.rulesOn`. */
  readonly rules: number;
}

const SWEEP_BATCH = 50;
const NAMES_SHOWN = 10;

/**
 * Pauses runs on one instance and resumes them on another. Only names and hashes are stored: after a resume,
 * definitions, hints and directories are built from what is visible then.
 */
export class RunPauses {
  constructor(
    private readonly store: PausedRunStore,
    private readonly activations: ToolActivations,
    private readonly events: ToolEvents,
    private readonly settings: SettingsOf<typeof runOptions>,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Saves the tools in use and replaces an earlier pause of this run. If there are more tools than a run can be
   * offered, the oldest offers are left out; activated tools are always saved.
   *
   * @param listed tools that the run lists now
   * @throws ToolSearchError `INVALID_SESSION` without a run id, `GATE_CLOSED` while a visibility policy fails
   */
  async pause(run: RunInPlay, listed: readonly ListedTool[]): Promise<PauseReceipt> {
    const key = runKey(run);
    checkView(run.view);
    const { sessionId } = run.context;
    const tools = inPlay(listed, run.state.maxOffers);
    const pausedAt = this.now();
    const paused: PausedRun = {
      ...key,
      ...(sessionId !== undefined && { sessionId }),
      pausedAt,
      catalogDigest: run.view.digest,
      controlRevision: run.rules,
      tools,
    };
    await guarded(() => this.store.save(paused));
    this.events.emit({ type: 'run.paused', ...eventIds(run.context), tools: tools.length });
    return { runId: key.runId, pausedAt, tools: tools.map(({ name, state }) => ({ name, state })) };
  }

  /**
   * Restores the run's offers, in their order, as far as the tools are unchanged.
   *
   * @throws ToolSearchError `RUN_NOT_FOUND`, or `RUN_DRIFTED` with `onDrift: 'fail'`; then nothing has changed
   */
  async resume(run: RunInPlay, { onDrift = this.settings.onDrift }: ResumeOptions): Promise<ResumeReply> {
    if (!ON_DRIFT.includes(onDrift)) {
      throw new ToolSearchError('INVALID_ARGUMENTS', 'onDrift says what to do about tools that changed.', {
        hint: `Use one of ${ON_DRIFT.join(', ')}, or leave it out.`,
      });
    }
    const { context, view, state } = run;
    checkView(view);
    const paused = await this.#find(run);
    const drifts = runDrift(paused.tools, (name) => view.find(name, context.tenantId)?.hash);
    if (onDrift === 'fail') refuseDrift(drifts);
    const stays = ({ drift }: ToolDrift) => drift === 'same' || (drift === 'changed' && onDrift === 'continue');
    const drifted = new Set(drifts.filter((tool) => !stays(tool)).map(({ name }) => name));
    await this.#withdraw(run, drifted);
    const activated = paused.tools.filter(({ state }) => state === 'activated').map(({ name }) => name);
    state.restore(
      drifts.filter(stays).map(({ name }) => name),
      new Set(activated),
      drifted,
    );

    const count = (wanted: ToolDrift['drift']) => drifts.filter(({ drift }) => drift === wanted).length;
    this.events.emit({
      type: 'run.resumed',
      ...eventIds(context),
      same: count('same'),
      changed: count('changed'),
      gone: count('gone'),
    });
    return {
      runId: paused.runId,
      pausedAt: paused.pausedAt,
      tools: drifts,
      catalogChanged: view.digest !== paused.catalogDigest,
      policyChanged: run.rules !== paused.controlRevision,
    };
  }

  /** Deletes expired paused runs, in batches. Returns the number deleted. */
  sweep(): Promise<number> {
    return guarded(() => sweepOlder(this.store, SWEEP_BATCH, this.settings.ttlMs, this.now()));
  }

  async #find(run: RunInPlay): Promise<PausedRun> {
    const key = runKey(run);
    const paused = await guarded(() => this.store.find(key));
    if (!paused || (this.settings.ttlMs > 0 && paused.pausedAt < this.now() - this.settings.ttlMs)) {
      throw new ToolSearchError('RUN_NOT_FOUND', 'There is no paused run with this id.', {
        hint: ({ search }) => search && `Start a new run, and find its tools with ${search}.`,
      });
    }
    if (paused.sessionId !== run.context.sessionId) {
      throw new ToolSearchError('INVALID_SESSION', 'This run was paused in another session.', {
        hint: 'Resume it with the session id it was paused with.',
      });
    }
    return paused;
  }

  // A record may have a former name of its tool, and its tool may be hidden now.
  async #withdraw({ scope, view, context }: RunInPlay, names: ReadonlySet<string>): Promise<void> {
    if (!scope || names.size === 0) return;
    for (const { tool } of await this.activations.list(scope)) {
      const id = view.snapshot.idOf(tool, context.tenantId);
      const name = id === undefined ? tool : view.snapshot.at(id).name;
      if (names.has(name) || names.has(tool)) await this.activations.revoke(scope, tool);
    }
  }
}

function runKey({ context: { tenantId, userId = '', runId }, scope }: RunInPlay): RunKey {
  // A narrowed toolbox without its own run id has a random one, which no caller can name again.
  if (runId !== undefined && !scope?.ephemeral) return { tenantId, userId, runId };
  throw new ToolSearchError('INVALID_SESSION', 'Only a run with an id can be paused and resumed.', {
    hint: 'Send a run id (x-run-id on the reference server), the same for pausing and resuming.',
  });
}

// The activations may have expired when the run resumes, so activated tools are offered again too.
function inPlay(listed: readonly ListedTool[], maxTools: number): readonly PausedTool[] {
  const deferred = listed.filter(({ loading }) => loading === 'deferred');
  const offered = deferred.filter(({ active }) => !active);
  const tooMany = new Set(offered.slice(0, Math.max(0, deferred.length - maxTools)));
  return deferred
    .filter((tool) => !tooMany.has(tool))
    .map(({ name, active, definition: { hash } }) => ({ name, hash, state: active ? 'activated' : 'offered' }));
}

// Tools hidden by a failing policy still exist: withdrawing them would outlast the failure.
function checkView({ fault }: ToolView): void {
  if (!fault) return;
  throw new ToolSearchError('GATE_CLOSED', 'Which tools this run may see cannot be decided at the moment.', {
    hint: 'Try again in a moment; nothing has been changed.',
  });
}

function refuseDrift(drifts: readonly ToolDrift[]): void {
  const drifted = drifts.filter(({ drift }) => drift !== 'same');
  if (drifted.length === 0) return;
  const shown = drifted.slice(0, NAMES_SHOWN).map(({ name, drift }) => `${name} (${drift})`);
  const more = drifted.length > NAMES_SHOWN ? ` and ${drifted.length - NAMES_SHOWN} more` : '';
  throw new ToolSearchError('RUN_DRIFTED', `Tools of this run are not what they were: ${shown.join(', ')}${more}.`, {
    hint: 'Resume with onDrift "search_again" and find them again, or start a new run.',
  });
}

function guarded<T>(work: () => Promise<T>): Promise<T> {
  return guardStore('Paused runs', work);
}
