import { Readable } from 'node:stream';
import { Delete, Get, Inject, StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AuditTrail, ToolCatalog, ToolSearchError } from '@tool-search/core';
import { ToolCallRecords } from '@tool-search/core/operators';
import type { CallRecord } from '@tool-search/core/stores';
import { AdminController, AdminRead, AdminWrite } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, isText, type Page, pageOf, PageOf, type PageRequest, readPage } from '../request/page.js';
import { periodOf } from '../request/period.js';
import { AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import { CSV_HEAD, csvLine, jsonLine } from './call-lines.js';
import {
  CallAnswer,
  CallCostsAnswer,
  CallCostsQuery,
  CallExportQuery,
  CallOverviewAnswer,
  CallOverviewQuery,
  CallsErased,
  CallsQuery,
  CallSummaryAnswer,
  CallSummaryQuery,
  EraseCallsQuery,
  RunQuery,
  RunStepAnswer,
} from './calls.dto.js';
import { runSteps } from './run-steps.js';

const isId = (place: unknown): place is string => isText(place) && /^[0-9a-f]{32}$/.test(place);
const CALLS = new Cursor('calls', isId);
const RUN = new Cursor('run', isId);
const FORMATS = {
  jsonl: { type: 'application/x-ndjson', head: '', line: jsonLine },
  csv: { type: 'text/csv; charset=utf-8', head: CSV_HEAD, line: csvLine },
} as const;

/** Routes for the record of calls: what models were shown and did, and every decision about a call. */
@AdminController()
export class CallsController {
  // Not a parameter of the constructor, so that constructors of classes that extend this one stay as they are.
  @Inject(ToolCatalog) protected readonly catalog: ToolCatalog;

  constructor(
    @Inject(ToolCallRecords) protected readonly records: ToolCallRecords,
    @Inject(AuditTrail) protected readonly trail: AuditTrail,
  ) {}

  @Get('calls')
  @TenantIn('query.tenantId')
  @AdminRead('What models were shown and did, and how each call was decided, the newest first', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(CallAnswer) })
  listCalls(@AdminQuery(CallsQuery) query: Checked<CallsQuery>): Promise<Page<CallAnswer>> {
    const { limit, cursor, ...filter } = query;
    const read = (page: PageRequest<string>) => this.records.list(filter, page);
    return readPage({ limit, cursor }, CALLS, ({ id }) => id, read);
  }

  @Get('calls/summary')
  @TenantIn('query.tenantId')
  @AdminRead('Counts of calls by hour, layer and outcome, by default of the last day', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: CallSummaryAnswer })
  async callSummary(@AdminQuery(CallSummaryQuery) query: Checked<CallSummaryQuery>): Promise<CallSummaryAnswer> {
    const period = periodOf(query);
    return { ...period, items: await this.records.sums({ ...query, ...period }) };
  }

  @Get('calls/overview')
  @TenantIn('query.tenantId')
  @AdminRead('How calls went: refusals, failures and times, by default of the last day', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: CallOverviewAnswer })
  async callOverview(@AdminQuery(CallOverviewQuery) query: Checked<CallOverviewQuery>): Promise<CallOverviewAnswer> {
    const { prefixes, ...overview } = await this.records.overview({ ...query, ...periodOf(query) });
    const sources = this.#sourcesByPrefix(query.tenantId);
    return {
      ...overview,
      sources: prefixes.map((each) => {
        const source = sources.get(each.prefix);
        return { ...each, ...(source !== undefined && { source }) };
      }),
    };
  }

  @Get('calls/costs')
  @TenantIn('query.tenantId')
  @AdminRead('Whose definitions and results cost most tokens, in the newest records', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: CallCostsAnswer })
  callCosts(@AdminQuery(CallCostsQuery) query: Checked<CallCostsQuery>): Promise<CallCostsAnswer> {
    return this.records.costs(query);
  }

  @Get('calls/export')
  @TenantIn('query.tenantId')
  @AdminRead('The record as JSON lines or CSV, the oldest first', 'STORE_UNAVAILABLE')
  @ApiOkResponse({
    content: { 'application/x-ndjson': { schema: { type: 'string' } }, 'text/csv': { schema: { type: 'string' } } },
  })
  async exportCalls(
    @AdminQuery(CallExportQuery) { format, ...filter }: Checked<CallExportQuery>,
  ): Promise<StreamableFile> {
    const { type, head, line } = FORMATS[format];
    const entries = this.records.entries(filter);
    // Reads the first page before responding: if the store is down, the response is a coded problem instead of a
    // truncated file.
    const first = await entries.next();
    const lines = Readable.from(linesOf(head, first, entries, line), { objectMode: false });
    return new StreamableFile(lines, { type, disposition: `attachment; filename="calls.${format}"` });
  }

  @Get('runs/:runId')
  @TenantIn('query.tenantId')
  @AdminRead('What a run was shown and did at each step, the oldest first', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(RunStepAnswer) })
  async run(
    @AdminParam('runId') runId: string,
    @AdminQuery(RunQuery) { limit, cursor, tenantId }: Checked<RunQuery>,
  ): Promise<Page<RunStepAnswer>> {
    const after = RUN.read(cursor);
    const filter = { runId, ...(tenantId !== undefined && { tenantId }) };
    const read = await this.records.list(filter, { limit: limit + 1, oldestFirst: true, ...(after && { after }) });
    const { items, ...next } = pageOf(read, limit, RUN, ({ id }) => id);
    return { items: runSteps(items), ...next };
  }

  @Delete('calls')
  @TenantIn('query.tenantId')
  @AdminWrite('Erase the records of a tenant, or of one of its users', 'CONFIRMATION_REQUIRED')
  @ApiOkResponse({ type: CallsErased })
  async eraseCalls(
    @AdminQuery(EraseCallsQuery) { tenantId, userId, reason, confirm }: Checked<EraseCallsQuery>,
    @Operator() { actor }: OperatorIdentity,
  ): Promise<CallsErased> {
    if (tenantId === undefined) {
      throw new ToolSearchError('INVALID_REQUEST', 'The request is not valid: tenantId is missing.', {
        hint: 'Say whose records are erased.',
      });
    }
    if (userId === undefined && confirm !== 'all') {
      throw new ToolSearchError('CONFIRMATION_REQUIRED', `This erases all records of the tenant ${tenantId}.`, {
        hint: 'Nothing was changed. Send confirm=all if that is meant, or name a userId.',
      });
    }
    // The audit entry comes first: without it nothing is erased.
    await this.trail.note({ action: 'calls.erased', actor, subject: 'record of calls', reason, tenantId });
    return { removed: await this.records.erase({ tenantId, ...(userId !== undefined && { userId }) }) };
  }

  /** The sources by the first part of the names of their tools; those of other tenants are nobody's. */
  #sourcesByPrefix(tenantId: string | undefined): ReadonlyMap<string, string> {
    const sources = new Map<string, string>();
    for (const { name, source, owner } of this.catalog.definitions()) {
      if (tenantId !== undefined && owner !== '' && owner !== tenantId) continue;
      const [prefix = ''] = name.split('.', 1);
      if (!sources.has(prefix)) sources.set(prefix, source);
    }
    return sources;
  }
}

async function* linesOf(
  head: string,
  first: IteratorResult<CallRecord>,
  rest: AsyncIterable<CallRecord>,
  line: (record: CallRecord) => string,
): AsyncGenerator<string> {
  if (head !== '') yield head;
  if (first.done) return;
  yield line(first.value);
  for await (const record of rest) yield line(record);
}
