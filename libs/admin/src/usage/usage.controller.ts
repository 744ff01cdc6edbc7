import { Delete, Get, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AuditTrail, SearchGaps, TokenLedger, ToolSearchError } from '@tool-search/core';
import { ExampleQueries } from '@tool-search/core/operators';
import type { LedgerPlace } from '@tool-search/core/internal';
import { AdminController, AdminRead, AdminWrite } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, isNumber, isText, type Page, pageOf, PageOf, type PageRequest, readPage } from '../request/page.js';
import { periodOf } from '../request/period.js';
import { AdminQuery, type Checked } from '../request/request-part.decorator.js';
import {
  ForgetGapsQuery,
  GapQueryAnswer,
  GapsForgotten,
  GapsQuery,
  GapWordsQuery,
  SessionTokenQuery,
  SessionTokensAnswer,
  TenantGapsAnswer,
  TokenHoursAnswer,
  TokenHoursQuery,
  TokenQuery,
  TokenTotalsAnswer,
} from './usage.dto.js';

const SESSIONS = new Cursor(
  'tokens',
  (place): place is LedgerPlace => Array.isArray(place) && place.length === 4 && place.every(isText),
);
const GAPS = new Cursor('search-gaps', isText);
const WORDS = new Cursor('search-gap-words', (place): place is number => isNumber(place) && place >= 0);

/** Routes for token usage and for searches that found nothing suitable. */
@AdminController()
export class UsageController {
  constructor(
    @Inject(TokenLedger) protected readonly ledger: TokenLedger,
    @Inject(SearchGaps) protected readonly gaps: SearchGaps,
    @Inject(AuditTrail) protected readonly trail: AuditTrail,
    @Inject(ExampleQueries) protected readonly queries: ExampleQueries,
  ) {}

  @Get('tokens')
  @TenantIn('query.tenantId')
  @AdminRead('What models were shown, what plain lists would have cost, and what searching cost', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: TokenTotalsAnswer })
  async tokenTotals(@AdminQuery(TokenQuery) query: Checked<TokenQuery>): Promise<TokenTotalsAnswer> {
    const totals = await this.ledger.totals(query);
    // Queries are written for all tenants together, once.
    if (query.tenantId !== undefined || query.since !== undefined) return totals;
    const { inputTokens, outputTokens } = await this.queries.spend();
    return { ...totals, writingTokens: inputTokens + outputTokens };
  }

  @Get('tokens/hours')
  @TenantIn('query.tenantId')
  @AdminRead('The same of each hour, by default of the last day', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: TokenHoursAnswer })
  async tokenHours(@AdminQuery(TokenHoursQuery) query: Checked<TokenHoursQuery>): Promise<TokenHoursAnswer> {
    const period = periodOf(query);
    return { ...period, items: await this.ledger.hours({ ...query, ...period }) };
  }

  @Get('tokens/sessions')
  @TenantIn('query.tenantId')
  @AdminRead('The same of each session', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(SessionTokensAnswer) })
  async sessionTokens(
    @AdminQuery(SessionTokenQuery) query: Checked<SessionTokenQuery>,
  ): Promise<Page<SessionTokensAnswer>> {
    const { limit, cursor, ...filter } = query;
    const after = SESSIONS.read(cursor);
    const read = await this.ledger.sessions(filter, { limit: limit + 1, ...(after && { after }) });
    return pageOf(read, limit, SESSIONS, (last): LedgerPlace => [
      last.tenantId,
      last.userId,
      last.sessionId,
      last.tokenizer,
    ]);
  }

  @Get('search-gaps')
  @TenantIn('query.tenantId')
  @AdminRead('Searches of each tenant: in vain, never used, in circles', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(TenantGapsAnswer) })
  searchGaps(@AdminQuery(GapsQuery) query: Checked<GapsQuery>): Promise<Page<TenantGapsAnswer>> {
    const { limit, cursor, ...filter } = query;
    const read = (page: PageRequest<string>) => this.gaps.totals(filter, page);
    return readPage({ limit, cursor }, GAPS, ({ tenantId }) => tenantId, read);
  }

  @Get('search-gaps/queries')
  @TenantIn('query.tenantId')
  @AdminRead('Words of such searches, the commonest first; none where the application keeps none', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(GapQueryAnswer) })
  async searchGapQueries(@AdminQuery(GapWordsQuery) query: Checked<GapWordsQuery>): Promise<Page<GapQueryAnswer>> {
    const { limit, cursor, tenantId, kind } = query;
    const from = WORDS.read(cursor) ?? 0;
    const all = await this.gaps.queries(tenantId, kind);
    return pageOf(all.slice(from, from + limit + 1), limit, WORDS, () => from + limit);
  }

  @Delete('search-gaps')
  @TenantIn('query.tenantId')
  @AdminWrite('Forget the search gaps of a tenant, or of all', 'CONFIRMATION_REQUIRED')
  @ApiOkResponse({ type: GapsForgotten })
  async forgetSearchGaps(
    @AdminQuery(ForgetGapsQuery) { tenantId, reason, confirm }: Checked<ForgetGapsQuery>,
    @Operator() { actor }: OperatorIdentity,
  ): Promise<GapsForgotten> {
    if (tenantId === undefined && confirm !== 'all') {
      throw new ToolSearchError('CONFIRMATION_REQUIRED', 'This forgets the search gaps of every tenant.', {
        hint: 'Nothing was changed. Send confirm=all if that is meant, or say whose.',
      });
    }
    const note = { actor, subject: 'search gaps', reason, tenantId: tenantId ?? '' };
    // The audit entry comes first: without it nothing is deleted.
    await this.trail.note({ ...note, action: 'search_gaps.reset' });
    return { removed: await this.gaps.reset(tenantId) };
  }
}
