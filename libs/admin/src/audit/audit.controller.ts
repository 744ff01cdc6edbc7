import { Readable } from 'node:stream';
import { Get, Inject, StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AuditTrail } from '@tool-search/core';
import type { AuditEntry, AuditFilter } from '@tool-search/core/stores';
import { AdminController, AdminRead } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { Cursor, isNumber, type Page, PageOf, type PageQuery, type PageRequest, readPage } from '../request/page.js';
import { AdminQuery, type Checked } from '../request/request-part.decorator.js';
import {
  AuditEntryAnswer,
  AuditExportQuery,
  AuditQuery,
  AuditVerdictAnswer,
  AuditVerifyQuery,
  HistoryQuery,
} from './audit.dto.js';

const CURSOR = new Cursor('audit', isNumber);
const NDJSON = 'application/x-ndjson';

/** Routes for the audit trail. */
@AdminController()
export class AuditController {
  constructor(@Inject(AuditTrail) protected readonly trail: AuditTrail) {}

  @Get('kill-switches/history')
  @TenantIn('query.tenantId')
  @AdminRead('What was done with kill switches, the newest first', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(AuditEntryAnswer) })
  killSwitchHistory(@AdminQuery(HistoryQuery) query: Checked<HistoryQuery>): Promise<Page<AuditEntryAnswer>> {
    return this.#page({ ...query, action: 'kill_switch.' });
  }

  @Get('audit')
  @TenantIn('query.tenantId')
  @AdminRead('Who decided what, when and why, the newest first', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(AuditEntryAnswer) })
  listAudit(@AdminQuery(AuditQuery) query: AuditQuery): Promise<Page<AuditEntryAnswer>> {
    return this.#page(query);
  }

  @Get('audit/verify')
  @AdminRead('Read the whole trail, check every link of it, and compare the records with it', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: AuditVerdictAnswer })
  verifyAudit(@AdminQuery(AuditVerifyQuery) { seq, hash }: AuditVerifyQuery): Promise<AuditVerdictAnswer> {
    return this.trail.verify(seq !== undefined && hash !== undefined ? { seq, hash } : undefined);
  }

  @Get('audit/export')
  @TenantIn('query.tenantId')
  @AdminRead('The trail as JSON lines, the oldest first', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ content: { [NDJSON]: { schema: { type: 'string' } } } })
  async exportAudit(@AdminQuery(AuditExportQuery) filter: AuditExportQuery): Promise<StreamableFile> {
    const entries = this.trail.entries(filter);
    // Reads the first entry before responding: if the store is down, the response is a coded problem instead of a
    // truncated file.
    const first = await entries.next();
    const lines = Readable.from(jsonLines(first, entries), { objectMode: false });
    return new StreamableFile(lines, { type: NDJSON, disposition: 'attachment; filename="audit.ndjson"' });
  }

  #page({ limit, cursor, ...filter }: PageQuery & AuditFilter): Promise<Page<AuditEntryAnswer>> {
    const read = (page: PageRequest<number>) => this.trail.list(filter, page);
    return readPage({ limit, cursor }, CURSOR, ({ seq }) => seq, read);
  }
}

async function* jsonLines(first: IteratorResult<AuditEntry>, rest: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  if (first.done) return;
  yield `${JSON.stringify(first.value)}\n`;
  for await (const entry of rest) yield `${JSON.stringify(entry)}\n`;
}
