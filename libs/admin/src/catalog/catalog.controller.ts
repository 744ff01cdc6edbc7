import { setTimeout } from 'node:timers/promises';
import { Get, Inject, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AuditTrail, ControlPlane, ToolCatalog, type ToolDefinition, ToolSearchError } from '@tool-search/core';
import { killSwitchKind } from '@tool-search/core/operators';
import {
  type ControlSnapshot,
  type ReportedTool,
  type SourceStatus,
  toolCount,
  ToolGate,
  verdictKind,
} from '@tool-search/core/internal';
import { AdminController, AdminRead, AdminWrite } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, type Page, pageOf, PageOf } from '../request/page.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import {
  CatalogQuery,
  CatalogTool,
  type DecisionAnswer,
  ReloadBody,
  SourceAnswer,
  SourcesQuery,
} from './catalog.dto.js';

/** Sort key of a tool or a source: first its owner, then its name. */
type OwnedPlace = readonly [owner: string, name: string];

const isOwnedPlace = (value: unknown): value is OwnedPlace =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');

const TOOLS = new Cursor('catalog', isOwnedPlace);
const SOURCES = new Cursor('sources', isOwnedPlace);
const MAX_SHOWN = 50;
/** So long an answer waits for a source that loads; it may take longer. */
const RELOAD_WAIT_MS = 10_000;

type OpenTools = Pick<SourceStatus, 'held' | 'reported'>;

const NOTHING_OPEN: OpenTools = { held: 0, reported: [] };

/** Routes for all tools and sources, visible or hidden. */
@AdminController()
export class CatalogController {
  // Not a parameter of the constructor, so that constructors of classes that extend this one stay as they are.
  @Inject(ToolGate) protected readonly gate: ToolGate;
  @Inject(AuditTrail) protected readonly trail: AuditTrail;

  constructor(
    @Inject(ToolCatalog) protected readonly catalog: ToolCatalog,
    @Inject(ControlPlane) protected readonly plane: ControlPlane,
  ) {}

  @Get('catalog')
  @TenantIn('query.tenantId')
  @AdminRead('List the tools of the catalog, by owner and name')
  @ApiOkResponse({ type: PageOf(CatalogTool) })
  listCatalog(@AdminQuery(CatalogQuery) query: CatalogQuery): Page<CatalogTool> {
    const { limit, cursor, source, namespace, q = '', contains = '', tenantId } = query;
    const words = contains.toLowerCase();
    const after = TOOLS.read(cursor);
    const found: ToolDefinition[] = [];
    // The catalog is already in this order.
    for (const tool of this.catalog.definitions()) {
      if (after && !isAfter([tool.owner, tool.name], after)) continue;
      if (source !== undefined && tool.source !== source) continue;
      if (namespace !== undefined && !`${tool.namespace}.`.startsWith(`${namespace}.`)) continue;
      if (tenantId !== undefined && tool.owner !== '' && tool.owner !== tenantId) continue;
      if (!tool.name.startsWith(q)) continue;
      if (words !== '' && !doesContain(tool, words)) continue;
      found.push(tool);
      if (found.length > limit) break;
    }
    const snapshot = this.plane.snapshot();
    const isOpen = this.plane.health().state !== 'closed';
    const tools = found.map((tool) => {
      const decision = isOpen ? this.#decision(tool, tenantId) : undefined;
      return catalogTool(tool, { snapshot, now: this.plane.now(), tenantId, decision });
    });
    return pageOf(tools, limit, TOOLS, ({ owner, name }): OwnedPlace => [owner, name]);
  }

  @Get('sources')
  @TenantIn('query.tenantId')
  @AdminRead('How the sources are doing, and what was refused of them')
  @ApiOkResponse({ type: PageOf(SourceAnswer) })
  listSources(@AdminQuery(SourcesQuery) { limit, cursor, tenantId }: SourcesQuery): Page<SourceAnswer> {
    const after = SOURCES.read(cursor);
    const sources = this.catalog
      .sources()
      .filter(({ owner }) => tenantId === undefined || owner === '' || owner === tenantId)
      .filter(({ owner, source }) => !after || isAfter([owner, source], after))
      .toSorted((a, b) => (isAfter([a.owner, a.source], [b.owner, b.source]) ? 1 : -1))
      .slice(0, limit + 1);
    return pageOf(this.#answersOf(sources), limit, SOURCES, ({ owner, source }): OwnedPlace => [owner, source]);
  }

  @Post('sources/:name/reload')
  @TenantIn('body.owner')
  @AdminWrite('Load a source again now, on the instance that answers, and say how it is doing then', 'NOT_FOUND')
  @ApiOkResponse({ type: SourceAnswer })
  async reloadSource(
    @AdminParam('name') name: string,
    @AdminBody(ReloadBody) { reason, owner = '' }: Checked<ReloadBody>,
    @Operator() { actor }: OperatorIdentity,
  ): Promise<SourceAnswer> {
    if (!this.catalog.source(name, owner)) throw noSource();
    const waitMs = this.catalog.reloadWaitMs(name, owner);
    if (waitMs > 0) throw loadedJustNow(waitMs);
    // The audit entry comes first: without it nothing is loaded.
    await this.trail.note({ action: 'source.reloaded', actor, subject: name, reason, tenantId: owner });
    const late = setTimeout(RELOAD_WAIT_MS, undefined, { ref: false });
    await Promise.race([this.catalog.reload(name, owner), late]);
    const status = this.catalog.sources(owner).filter((each) => each.source === name && each.owner === owner);
    const [answer] = this.#answersOf(status);
    // Its owner may have withdrawn it while it was loaded.
    if (!answer) throw noSource();
    return answer;
  }

  #answersOf(sources: readonly SourceStatus[]): readonly SourceAnswer[] {
    const open = this.#openBySource();
    return sources.map((status) => sourceAnswer(status, open?.get(keyOf(status)) ?? (open && NOTHING_OPEN)));
  }

  #decision(tool: ToolDefinition, tenantId = tool.owner): DecisionAnswer {
    const { outcome, layer, rule, reason } = this.gate.decideForAll(tool, tenantId);
    return { outcome, layer, rule, reason };
  }

  /** Tools that wait for an operator, by owner and source; undefined while no control snapshot is available. */
  #openBySource(): ReadonlyMap<string, OpenTools> | undefined {
    const snapshot = this.plane.snapshot();
    if (!snapshot) return undefined;
    const verdicts = snapshot.of(verdictKind);
    const open = new Map<string, { held: number; reported: ReportedTool[] }>();
    for (const tool of this.catalog.definitions()) {
      const isHeld = verdicts.refusal(tool) !== undefined;
      const finding = verdicts.of(tool) ? undefined : tool.finding;
      if (!isHeld && !finding) continue;
      const key = keyOf(tool);
      const known = open.get(key) ?? { held: 0, reported: [] };
      if (isHeld) known.held += 1;
      if (finding) known.reported.push({ name: tool.name, ...finding });
      open.set(key, known);
    }
    return open;
  }
}

function noSource(): ToolSearchError {
  return new ToolSearchError('NOT_FOUND', 'There is no such source.', {
    hint: 'List the sources; name the owner of a source that belongs to one tenant.',
  });
}

function loadedJustNow(waitMs: number): ToolSearchError {
  return new ToolSearchError(
    'RATE_LIMITED',
    'The source was loaded just now, or changes more than its budget allows.',
    {
      hint: `Nothing was done. Ask again in ${Math.ceil(waitMs / 1000)} seconds.`,
    },
  );
}

function doesContain({ name, title = '', description }: ToolDefinition, words: string): boolean {
  return [name, title, description].some((text) => text.toLowerCase().includes(words));
}

function keyOf({ owner, source }: Pick<SourceStatus, 'owner' | 'source'>): string {
  return JSON.stringify([owner, source]);
}

function isAfter([owner, name]: OwnedPlace, [afterOwner, afterName]: OwnedPlace): boolean {
  return owner === afterOwner ? name > afterName : owner > afterOwner;
}

interface Decided {
  readonly snapshot: ControlSnapshot | undefined;
  readonly now: number;
  readonly tenantId: string | undefined;
  readonly decision: DecisionAnswer | undefined;
}

function catalogTool(tool: ToolDefinition, { snapshot, now, tenantId = tool.owner, decision }: Decided): CatalogTool {
  const { name, kind, uri, title, source, owner, namespace, tags, sideEffects, loading, hash, suspicion, finding } =
    tool;
  const verdict = snapshot?.of(verdictKind).of(tool)?.verdict;
  const killedBy = snapshot?.of(killSwitchKind).meeting(tool, tenantId, now)?.id;
  return {
    name,
    source,
    owner,
    namespace,
    tags,
    sideEffects,
    loading,
    hash,
    ...(kind && { kind }),
    ...(uri !== undefined && { uri }),
    ...(title !== undefined && { title }),
    ...(suspicion !== undefined && { suspicion }),
    ...(finding && { finding }),
    ...(verdict !== undefined && { verdict }),
    ...(killedBy !== undefined && { killedBy }),
    ...(decision && { decision }),
  };
}

function sourceAnswer(
  { refused, amended, ...status }: SourceStatus,
  { held, reported }: OpenTools = status,
): SourceAnswer {
  const shown = refused
    .slice(0, MAX_SHOWN)
    .map(({ name, code, reason, count }) => ({ name, code, reason, ...(count !== undefined && { count }) }));
  return {
    ...status,
    held,
    reportedCount: reported.length,
    reported: reported.slice(0, MAX_SHOWN),
    refusedCount: toolCount(refused),
    refused: shown,
    amendedCount: toolCount(amended),
    amended: amended.slice(0, MAX_SHOWN),
  };
}
