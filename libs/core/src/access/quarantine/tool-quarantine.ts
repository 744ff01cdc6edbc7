import { stableHash } from '../../json/stable-hash.js';
import type { DefinitionChange } from '../../tool/definition-change.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ControlPlane } from '../control/control-plane.js';
import { madeChange } from '../control/made-change.js';
import { type OperatorRequest, operatorRequest } from '../control/operator-request.js';
import { isOver, quarantineKey, type QuarantineVerdict, quarantineVerdictOf } from './quarantine.js';

/** A tool that waits for a look, or that somebody has looked at. */
export interface QuarantinedTool {
  readonly id: string;
  readonly tool: ToolDefinition;
  /** Why it is held back; absent for a tool that nothing but an operator's verdict holds. */
  readonly suspicion?: string;
  readonly verdict?: QuarantineVerdict;
}

/** What was accepted of the sources whose definitions are watched. */
export interface AcceptedDefinitions {
  /** Makes these definitions what is accepted; never fails. */
  accept(tools: readonly ToolDefinition[]): Promise<void>;
  /** Where a definition that waits differs from what was accepted. @throws ToolSearchError `STORE_UNAVAILABLE` */
  changes(tool: ToolDefinition): Promise<readonly DefinitionChange[]>;
}

/** Which tools of a source an operator has looked at and lets out. */
export interface SourceApproval {
  readonly source: string;
  /** The tenant whose own source it is. @default '' = shared */
  readonly owner?: string;
  /** Ids of all tools of the source that wait: what was not looked at must not slip in. */
  readonly ids: readonly string[];
}

/** Tools whose text or schema a person should see before any model does. */
export class ToolQuarantine {
  constructor(
    private readonly plane: ControlPlane,
    private readonly events: ToolEvents,
    private readonly tools: () => readonly ToolDefinition[],
    private readonly accepted: AcceptedDefinitions,
    private readonly now: () => number = () => plane.now(),
  ) {}

  /** What is suspicious or was decided upon, in the catalog's order. @throws ToolSearchError `GATE_CLOSED` */
  list(): readonly QuarantinedTool[] {
    const { quarantine } = this.plane.current();
    return this.tools().flatMap((tool) => {
      const verdict = quarantine.of(tool);
      const { suspicion } = tool;
      if (suspicion === undefined && !verdict) return [];
      return [{ id: idOf(tool), tool, ...(suspicion !== undefined && { suspicion }), ...(verdict && { verdict }) }];
    });
  }

  /** One of {@link list}. @throws ToolSearchError `NOT_FOUND`, `GATE_CLOSED` */
  get(id: string): QuarantinedTool {
    const held = this.list().find((each) => each.id === id);
    if (held) return held;
    throw notHeld();
  }

  /**
   * Where this definition differs from the one that was accepted under its name: at most 100 places, texts cut to 2,000
   * characters. All of it for a tool that is new, nothing for one that is held for another reason.
   *
   * @throws ToolSearchError `NOT_FOUND`, `GATE_CLOSED`, `STORE_UNAVAILABLE`
   */
  async changes(id: string): Promise<readonly DefinitionChange[]> {
    return this.accepted.changes(this.get(id).tool);
  }

  /**
   * Lets everything out that a source has in quarantine, each tool with an audit entry of its own. What was approved before is
   * answered as it was, so a request that broke off can be sent again.
   *
   * @param request its `expectedRevision` is not asked; its `idempotencyKey` counts for each tool
   * @throws ToolSearchError `REVISION_CONFLICT` when the ids are not exactly those that wait, and nothing is changed;
   *   `GATE_CLOSED`, `INVALID_REQUEST`, `STORE_UNAVAILABLE`
   */
  async approveAll(
    { source, owner = '', ids }: SourceApproval,
    { actor, reason, idempotencyKey }: Omit<OperatorRequest, 'expectedRevision'>,
  ): Promise<readonly QuarantineVerdict[]> {
    const seen = new Set(ids);
    const ofSource = this.list().filter(({ tool }) => tool.source === source && tool.owner === owner);
    const named = ofSource.filter(({ id }) => seen.has(id));
    const missed = ofSource.filter(({ id, verdict }) => !verdict && !seen.has(id)).length;
    const unknown = seen.size - named.filter(({ verdict }) => verdict?.verdict !== 'rejected').length;
    if (missed + unknown > 0) {
      throw new ToolSearchError(
        'REVISION_CONFLICT',
        `The quarantine of ${source} is not what you saw: ${missed} that wait are not among the ids, and ${unknown} of the ids do not wait.`,
        { hint: 'Nothing was changed. Look at the quarantine again; what was rejected is approved by itself.' },
      );
    }
    const verdicts: QuarantineVerdict[] = [];
    try {
      for (const held of named) {
        const key = idempotencyKey === undefined ? {} : { idempotencyKey: stableHash([idempotencyKey, held.id]) };
        if (!held.verdict) this.#checkListed(held);
        verdicts.push(held.verdict ?? (await this.#decide(held, 'approved', { actor, reason, ...key })));
      }
    } finally {
      // Also when it breaks off in the middle: what was approved until then is what counts.
      await this.accepted.accept(verdicts.flatMap((each, at) => stillFor(each, named[at]?.tool)));
    }
    return verdicts;
  }

  /**
   * Lets exactly this definition out, or keeps it in. One that waits because it changed is then what was accepted.
   *
   * @throws ToolSearchError `NOT_FOUND` when the catalog holds no such definition any more, `REVISION_CONFLICT`, `INVALID_REQUEST`, `STORE_UNAVAILABLE`
   */
  async decide(
    id: string,
    verdict: QuarantineVerdict['verdict'],
    request: OperatorRequest,
  ): Promise<QuarantineVerdict> {
    const held = this.get(id);
    const decided = await this.#decide(held, verdict, request);
    if (decided.verdict === 'approved') await this.accepted.accept(stillFor(decided, held.tool));
    return decided;
  }

  /** One look at a thousand tools for each of a thousand: not by their ids, which are hashes. @throws ToolSearchError `NOT_FOUND` */
  #checkListed({ tool: { hash, name, source, owner } }: QuarantinedTool): void {
    const isListed = this.tools().some(
      (each) => each.hash === hash && each.name === name && each.source === source && each.owner === owner,
    );
    if (!isListed) throw notHeld();
  }

  async #decide(
    { tool }: QuarantinedTool,
    verdict: QuarantineVerdict['verdict'],
    request: OperatorRequest,
  ): Promise<QuarantineVerdict> {
    const common = operatorRequest(request);
    const { owner, source, hash, suspectSince = 0 } = tool;
    const { actor, reason } = common;
    const now = this.now();
    const decided = {
      owner,
      source,
      tool: tool.name,
      hash,
      verdict,
      reason,
      actor,
      // By a clock that is behind the one of whoever accepted the last definition, it would be over as soon as it is given.
      decidedAt: Math.max(now, suspectSince),
    };
    const type = verdict === 'approved' ? 'quarantine.approved' : 'quarantine.rejected';
    const said = { action: type, subject: `${tool.name} ${hash.slice(0, 12)}`, tenantId: owner, at: now };
    const put = {
      kind: 'quarantine' as const,
      key: quarantineKey(tool),
      tenantId: owner,
      value: decided,
      expiresAt: 0,
    };
    const { entry, isNew } = await madeChange(this.plane, { ...common, ...said, put }, 'the verdict');
    const { revision, after } = entry;
    if (isNew) this.events.emit({ type, source, tool: tool.name, actor, revision });
    return quarantineVerdictOf({ value: after ?? {}, revision });
  }
}

/** The tool, unless the verdict is one from before another definition was accepted in its place. */
function stillFor(verdict: QuarantineVerdict, tool: ToolDefinition | undefined): readonly ToolDefinition[] {
  return tool && !isOver(verdict, tool) ? [tool] : [];
}

function notHeld(): ToolSearchError {
  return new ToolSearchError('NOT_FOUND', 'No tool in quarantine has this id.', {
    hint: 'List the quarantine anew; a definition that changed has another id.',
  });
}

function idOf(tool: ToolDefinition): string {
  return `qt_${stableHash(quarantineKey(tool)).slice(0, 24)}`;
}
