import type { DefinitionChange } from '../../tool/definition-change.js';
import { isObject, type JsonObject } from '../../json/json.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import type { LoadLimits } from '../loading/source-limits.js';
import type { ChangePolicy, ToolSource } from '../../tool/tool-source.js';
import { heldBecause, seenAs, type SeenTool, seenTwice } from './change-rule.js';
import { definitionChanges } from './definition-changes.js';
import type { AcceptedTool, DefinitionPin } from './definition-store.js';
import type { PinCache } from './pin-cache.js';
import { type ListedOrigins, listedOrigins } from '../loading/listed-origins.js';
import { declared, fingerprintOf, type WatchedTool } from './tool-origin.js';

export interface WatchedLoad {
  readonly declarations: readonly ToolDeclaration[];
  readonly of: (name: string) => WatchedTool;
}

interface HeldTool {
  readonly seen: SeenTool;
  readonly reason: string;
  readonly pin: DefinitionPin | undefined;
}

interface Judged {
  readonly passed: ReadonlyMap<string, SeenTool>;
  readonly held: ReadonlyMap<string, HeldTool>;
}

/** Milliseconds of comparing between two turns of the event loop. */
const SLICE_MS = 8;
const NOT_LISTED: ListedOrigins = { origins: new Map(), odd: new Map() };

type Load = () => Promise<readonly ToolDeclaration[]>;

/** Compares one source's tools with their accepted definitions. Keeps origins only of tools that wait for approval. */
export class DefinitionWatch {
  #held: Judged['held'] = new Map();
  // After the first check, the source's current tools count; stored ones must not replace them.
  #isJudged = false;
  // Approved pins that could not be written yet.
  readonly #approved = new Map<string, AcceptedTool>();

  constructor(
    private readonly source: ToolSource,
    private readonly policy: ChangePolicy,
    private readonly limits: LoadLimits,
    private readonly pins: PinCache,
    private readonly now: () => number,
  ) {}

  /**
   * Compares a load with the accepted definitions.
   *
   * @param loadAnew a second, independent load; called at most once, and only for tools that are new or changed
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async check(declarations: readonly ToolDeclaration[], loadAnew: Load): Promise<WatchedLoad> {
    const list = (each: readonly ToolDeclaration[]) =>
      new TimeSlicer(SLICE_MS).run(listedOrigins(this.source, each, this.limits));
    const listed = await list(declarations);
    let second: Promise<ListedOrigins> | undefined;
    const anew = () => (second ??= loadAnew().then(list));
    await this.#writeApproved();
    if (!(await this.pins.read())) {
      // The first whole load is the first one: after a part of it, the other tools would be new.
      if (this.source.incomplete?.()) return { declarations, of: () => ({}) };
      await this.#register(listed, await anew());
    }
    const judged = await this.#judge(listed, anew);
    this.#held = judged.held;
    this.#isJudged = true;
    return this.#watchedLoad(declarations, listed, judged);
  }

  /**
   * The tools that were last accepted; undefined if the source was never registered or has been checked already.
   *
   * @param isWanted called once more before `restore` of the source is called
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async remembered(isWanted: () => boolean): Promise<WatchedLoad | undefined> {
    const pins = await this.pins.read();
    if (!pins) return undefined;
    const origins = await this.pins.origins();
    if (this.#isJudged || !isWanted()) return undefined;
    const passed = new Map<string, SeenTool>();
    const slices = new TimeSlicer(SLICE_MS);
    for (const [name, origin] of origins) {
      if (slices.due) await slices.pause();
      const pin = pins.get(name);
      // A stored origin that does not match its fingerprint was changed in the store, so it is not used.
      if (pin && fingerprintOf(origin) === pin.fingerprint) passed.set(name, { ...pin, origin });
    }
    if (this.#isJudged || !isWanted()) return undefined;
    const judged = { passed, held: new Map() };
    return this.#watchedLoad([], NOT_LISTED, judged);
  }

  /** @param tools own names and approved fingerprints. If they cannot be written now, the next load writes them */
  async accept(tools: readonly (readonly [name: string, fingerprint: string | undefined])[]): Promise<void> {
    for (const [name, fingerprint] of tools) {
      const held = this.#held.get(name);
      if (held && held.seen.fingerprint === fingerprint)
        this.#approved.set(name, this.#accepted(name, held.seen, held.pin));
    }
    this.#held = new Map([...this.#held].filter(([name]) => !this.#approved.has(name)));
    await this.#writeApproved();
  }

  /** The changes of a tool that waits for approval; empty for any other. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async changes(name: string, fingerprint: string | undefined): Promise<readonly DefinitionChange[]> {
    const held = this.#held.get(name);
    if (!held || held.seen.fingerprint !== fingerprint) return [];
    const accepted = held.pin && (await this.pins.origins([name])).get(name);
    return definitionChanges(accepted, held.seen.origin);
  }

  async #register(first: ListedOrigins, second: ListedOrigins): Promise<void> {
    const tools: AcceptedTool[] = [];
    const slices = new TimeSlicer(SLICE_MS);
    for (const [name, raw] of first.origins) {
      if (slices.due) await slices.pause();
      const seen = seenTwice(raw, second.origins.get(name), []);
      if (seen.unstable === undefined || this.policy === 'trust') tools.push(this.#accepted(name, seen));
    }
    await this.pins.register(tools);
  }

  async #judge({ origins, odd }: ListedOrigins, anew: () => Promise<ListedOrigins>): Promise<Judged> {
    const pins = (await this.pins.read()) ?? new Map<string, DefinitionPin>();
    const passed = new Map<string, SeenTool>();
    const held = new Map<string, HeldTool>();
    const unknown = new Map<string, JsonObject>();
    const accepted: AcceptedTool[] = [];
    const slices = new TimeSlicer(SLICE_MS);
    for (const [name, raw] of origins) {
      if (slices.due) await slices.pause();
      const pin = pins.get(name);
      const seen = pin && seenAs(raw, pin.volatile);
      const was = this.#held.get(name);
      if (pin && seen?.fingerprint === pin.fingerprint) {
        passed.set(name, seen);
        if (!pin.listed) accepted.push({ ...pin, listed: true, origin: seen.origin });
      } else if (was && isStillHeld(was, raw, pin)) held.set(name, { ...was, pin });
      else unknown.set(name, raw);
    }
    for (const [name, verdict] of await this.#decided(unknown, pins, anew)) {
      if ('reason' in verdict) held.set(name, verdict);
      else {
        passed.set(name, verdict);
        accepted.push(this.#accepted(name, verdict, pins.get(name)));
      }
    }
    const gone = [...pins.values()].filter(({ tool, listed }) => listed && !origins.has(tool) && !odd.has(tool));
    if (accepted.length > 0 || gone.length > 0) {
      await this.pins.change({ accepted, gone: gone.map(({ tool }) => tool) });
      await this.#holdOvertaken(accepted, passed, held);
    }
    return { passed, held };
  }

  async #decided(
    unknown: ReadonlyMap<string, JsonObject>,
    pins: ReadonlyMap<string, DefinitionPin>,
    anew: () => Promise<ListedOrigins>,
  ): Promise<ReadonlyMap<string, SeenTool | HeldTool>> {
    const decided = new Map<string, SeenTool | HeldTool>();
    if (unknown.size === 0) return decided;
    const second = await anew();
    const changed = [...unknown.keys()].filter((name) => pins.has(name));
    const before = changed.length > 0 ? await this.pins.origins(changed) : new Map<string, JsonObject>();
    const slices = new TimeSlicer(SLICE_MS);
    for (const [name, raw] of unknown) {
      if (slices.due) await slices.pause();
      const pin = pins.get(name);
      const seen = seenTwice(raw, second.origins.get(name), pin?.volatile ?? []);
      const reason = heldBecause(this.policy, seen, pin, before.get(name));
      const was = this.#held.get(name);
      // A tool that differs in every fetch keeps its first state, otherwise an operator would have a new one to review
      // each time.
      const isKnown = was && seen.unstable !== undefined && was.reason === reason;
      decided.set(name, reason === undefined ? seen : { seen: isKnown ? was.seen : seen, reason, pin });
    }
    return decided;
  }

  /** Another instance may have accepted a different definition at the same time; the store decides. */
  async #holdOvertaken(
    accepted: readonly AcceptedTool[],
    passed: Map<string, SeenTool>,
    held: Map<string, HeldTool>,
  ): Promise<void> {
    if (this.policy === 'trust') return;
    const pins = await this.pins.read();
    for (const { tool, fingerprint } of accepted) {
      const pin = pins?.get(tool);
      const seen = passed.get(tool);
      if (!seen || pin?.fingerprint === fingerprint) continue;
      passed.delete(tool);
      held.set(tool, { seen, reason: 'changed since it was accepted', pin });
    }
  }

  #watchedLoad(
    declarations: readonly ToolDeclaration[],
    { odd }: ListedOrigins,
    { passed, held }: Judged,
  ): WatchedLoad {
    const seen = new Map([...passed, ...[...held].map(([name, each]) => [name, each.seen] as const)]);
    const of = (name: string): WatchedTool => {
      const { reason, pin } = held.get(name) ?? {};
      return {
        ...odd.get(name),
        ...(seen.has(name) && { fingerprint: seen.get(name)?.fingerprint }),
        ...(reason !== undefined && { suspicion: reason }),
        ...(pin && { suspectSince: pin.acceptedAt }),
      };
    };
    return { declarations: this.#restored(declarations, seen), of };
  }

  #restored(declarations: readonly ToolDeclaration[], seen: ReadonlyMap<string, SeenTool>): ToolDeclaration[] {
    if (!this.source.restore) {
      const byName = new Map(declarations.map((each) => [nameOf(each), each]));
      const remembered = [...seen].filter(([name]) => !byName.has(name)).map(([, { origin }]) => declared(origin));
      return [...declarations.map((each) => withoutVolatile(each, seen.get(nameOf(each) ?? ''))), ...remembered];
    }
    const restored = this.source.restore([...seen.values()].map(({ origin }) => origin));
    const others = declarations.filter((each) => !seen.has(nameOf(each) ?? ''));
    return [...restored.filter(({ name }) => seen.has(name)), ...others];
  }

  async #writeApproved(): Promise<void> {
    if (this.#approved.size === 0) return;
    const accepted = [...this.#approved.values()];
    await this.pins.change({ accepted, gone: [] });
    for (const each of accepted) if (this.#approved.get(each.tool) === each) this.#approved.delete(each.tool);
  }

  #accepted(tool: string, { origin, fingerprint, volatile }: SeenTool, before?: DefinitionPin): AcceptedTool {
    // Later than the pin it replaces, even if another instance's clock is ahead, so that earlier approvals no longer
    // apply.
    const acceptedAt = Math.max(this.now(), before ? before.acceptedAt + 1 : 0);
    return { tool, fingerprint, volatile, origin, listed: true, acceptedAt };
  }
}

function isStillHeld({ seen, pin: against }: HeldTool, raw: JsonObject, pin: DefinitionPin | undefined): boolean {
  return against?.fingerprint === pin?.fingerprint && seenAs(raw, seen.volatile).fingerprint === seen.fingerprint;
}

function withoutVolatile(declaration: ToolDeclaration, seen: SeenTool | undefined): ToolDeclaration {
  return seen && seen.volatile.length > 0 ? declared(seen.origin, declaration) : declaration;
}

function nameOf(declaration: unknown): string | undefined {
  return isObject(declaration) && typeof declaration['name'] === 'string' ? declaration['name'] : undefined;
}
