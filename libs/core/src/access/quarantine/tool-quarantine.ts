import { stableHash } from '../../json/stable-hash.js';
import type { DefinitionChange } from '../../tool/definition-change.js';
import type { ToolDefinition, ToolFinding } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ControlPlane } from '../control/control-plane.js';
import type { OperatorRequest } from '../control/operator-request.js';
import { StoredRecords } from '../control/stored-records.js';
import { definitionKey, definitionSubject, isOver, type QuarantineVerdict } from './quarantine.js';
import { verdictKind } from './verdict-kind.js';

/** A tool in quarantine, one that is reported, or one with an operator's verdict. */
export interface QuarantinedTool {
  readonly id: string;
  readonly tool: ToolDefinition;
  /** Why it is held back; absent when only an operator's verdict holds it. */
  readonly suspicion?: string;
  /** Why an operator should look at it although it is usable. */
  readonly finding?: ToolFinding;
  readonly verdict?: QuarantineVerdict;
}

export interface AcceptedDefinitions {
  /** Stores these definitions as the accepted ones; never fails. */
  accept(tools: readonly ToolDefinition[]): Promise<void>;
  /** Differences between a quarantined definition and the accepted one. @throws ToolSearchError `STORE_UNAVAILABLE` */
  changes(tool: ToolDefinition): Promise<readonly DefinitionChange[]>;
}

/** The tools of a source that an operator has reviewed and approves. */
export interface SourceApproval {
  readonly source: string;
  /** The tenant that owns the source. @default '' = shared */
  readonly owner?: string;
  /** Ids of all quarantined tools of the source without a finding, so that no unreviewed tool is approved. */
  readonly ids: readonly string[];
}

/** Quarantine for tools whose text or schema a person should review before a model sees them. */
export class ToolQuarantine {
  readonly #records;

  constructor(
    private readonly plane: ControlPlane,
    events: ToolEvents,
    private readonly tools: () => readonly ToolDefinition[],
    private readonly accepted: AcceptedDefinitions,
    private readonly now: () => number = () => plane.now(),
  ) {
    this.#records = new StoredRecords(verdictKind, plane, events, now);
  }

  /** Suspicious tools and tools with a verdict, in the catalog's order. @throws ToolSearchError `GATE_CLOSED` */
  list(): readonly QuarantinedTool[] {
    return this.#judged().filter(({ suspicion, verdict }) => suspicion !== undefined || verdict);
  }

  /**
   * Tools that are usable although an inspector suspects them, without those that an operator has decided on. A
   * rejection holds such a tool, an approval ends the report.
   *
   * @throws ToolSearchError `GATE_CLOSED`
   */
  reported(): readonly QuarantinedTool[] {
    return this.#judged().filter(({ suspicion, verdict }) => suspicion === undefined && !verdict);
  }

  /**
   * One of {@link list} or {@link reported}.
   *
   * @param owner finds only a tool of this tenant's own sources; by default any tool
   * @throws ToolSearchError `NOT_FOUND`, `GATE_CLOSED`
   */
  get(id: string, owner?: string): QuarantinedTool {
    const held = this.#judged().find((each) => each.id === id && (owner === undefined || each.tool.owner === owner));
    if (held) return held;
    throw notHeld();
  }

  /**
   * Differences between this definition and the accepted one of the same name: at most 100 places, texts cut to 2,000
   * characters. A new tool returns its whole definition; a tool held back for another reason returns none.
   *
   * @throws ToolSearchError `NOT_FOUND`, `GATE_CLOSED`, `STORE_UNAVAILABLE`
   */
  async changes(id: string): Promise<readonly DefinitionChange[]> {
    return this.accepted.changes(this.get(id).tool);
  }

  /**
   * Approves all quarantined tools of a source but those that an inspector suspects, with one audit entry for each tool. Tools approved earlier return their
   * verdict, so an interrupted request can be sent again.
   *
   * @param request `expectedRevision` is ignored; `idempotencyKey` applies to each tool
   * @throws ToolSearchError `REVISION_CONFLICT` when the ids are not exactly the quarantined ones (nothing is changed
   *   then); `GATE_CLOSED`, `INVALID_REQUEST`, `STORE_UNAVAILABLE`
   */
  async approveAll(
    { source, owner = '', ids }: SourceApproval,
    { actor, reason, idempotencyKey }: Omit<OperatorRequest, 'expectedRevision'>,
  ): Promise<readonly QuarantineVerdict[]> {
    const seen = new Set(ids);
    const ofSource = this.list().filter(({ tool }) => tool.source === source && tool.owner === owner);
    const named = ofSource.filter(({ id }) => seen.has(id));
    const suspected = named.filter(({ finding, verdict }) => finding && !verdict);
    if (suspected.length > 0) {
      const names = suspected.map(({ tool }) => tool.name).join(', ');
      throw new ToolSearchError('INVALID_REQUEST', `An inspector suspects ${names}.`, {
        hint: 'Nothing was changed. Leave them out, and decide on each of them by itself.',
      });
    }
    const missed = ofSource.filter(({ id, finding, verdict }) => !verdict && !finding && !seen.has(id)).length;
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
      // Also after a failure: the definitions approved so far become the accepted ones.
      await this.accepted.accept(verdicts.flatMap((each, at) => stillFor(each, named[at]?.tool)));
    }
    return verdicts;
  }

  /**
   * Approves or rejects exactly this definition. An approved change becomes the accepted definition.
   *
   * @param owner decides only about a tool of this tenant's own sources; by default about any
   * @throws ToolSearchError `NOT_FOUND` when the catalog no longer has this definition; `REVISION_CONFLICT`,
   *   `INVALID_REQUEST`, `STORE_UNAVAILABLE`
   */
  async decide(
    id: string,
    verdict: QuarantineVerdict['verdict'],
    request: OperatorRequest,
    owner?: string,
  ): Promise<QuarantineVerdict> {
    const held = this.get(id, owner);
    const decided = await this.#decide(held, verdict, request);
    if (decided.verdict === 'approved') await this.accepted.accept(stillFor(decided, held.tool));
    return decided;
  }

  #judged(): readonly QuarantinedTool[] {
    const quarantine = this.plane.current().of(verdictKind);
    return this.tools().flatMap((tool) => {
      const verdict = quarantine.of(tool);
      const { suspicion, finding } = tool;
      if (suspicion === undefined && !finding && !verdict) return [];
      return [
        {
          id: idOf(tool),
          tool,
          ...(suspicion !== undefined && { suspicion }),
          ...(finding && { finding }),
          ...(verdict && { verdict }),
        },
      ];
    });
  }

  /**
   * Compares fields, not ids: ids are hashes, and a bulk approval compares a thousand tools with a thousand.
   *
   * @throws ToolSearchError `NOT_FOUND`
   */
  #checkListed({ tool: { hash, name, source, owner } }: QuarantinedTool): void {
    const isListed = this.tools().some(
      (each) => each.hash === hash && each.name === name && each.source === source && each.owner === owner,
    );
    if (!isListed) throw notHeld();
  }

  #decide(
    { tool }: QuarantinedTool,
    verdict: QuarantineVerdict['verdict'],
    request: OperatorRequest,
  ): Promise<QuarantineVerdict> {
    const { owner, source, name, hash, suspectSince = 0 } = tool;
    const action = verdict === 'approved' ? 'quarantine.approved' : 'quarantine.rejected';
    // Never before `suspectSince`: if this clock is behind the one that accepted the last definition, the approval
    // would be outdated at once.
    const decidedAt = Math.max(this.now(), suspectSince);
    const value = { owner, source, tool: name, hash, verdict, decidedAt };
    return this.#records.put({ action, subject: definitionSubject(tool), tenantId: owner, value }, request);
  }
}

/** The tool, unless another definition was accepted after the verdict. */
function stillFor(verdict: QuarantineVerdict, tool: ToolDefinition | undefined): readonly ToolDefinition[] {
  return tool && !isOver(verdict, tool) ? [tool] : [];
}

function notHeld(): ToolSearchError {
  return new ToolSearchError('NOT_FOUND', 'No tool in quarantine has this id.', {
    hint: 'List the quarantine anew; a definition that changed has another id.',
  });
}

function idOf(tool: ToolDefinition): string {
  return `qt_${stableHash(definitionKey(tool)).slice(0, 24)}`;
}
