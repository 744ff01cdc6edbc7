import { Delete, Get, Inject, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ToolSearchError } from '@tool-search/core';
import { ToolCallRecords, ToolDeprecations } from '@tool-search/core/operators';
import { AdminController, AdminDecision, AdminRead } from '../access/admin-route.decorator.js';
import { RemovalQuery } from '../request/change.dto.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, isText, type Page, PageOf, PageQuery, type PageRequest, readPage } from '../request/page.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import {
  CallersAnswer,
  CallersQuery,
  DeprecationAnswer,
  DeprecationRemoved,
  SetDeprecationBody,
} from './deprecations.dto.js';
import { remainingCallers } from './remaining-callers.js';

const MONTH_MS = 30 * 86_400_000;
const CURSOR = new Cursor('deprecations', isText);

/** Routes for deprecations that operators set; each replaces the one in the tool's definition. */
@AdminController()
export class DeprecationsController {
  constructor(
    @Inject(ToolDeprecations) protected readonly deprecations: ToolDeprecations,
    @Inject(ToolCallRecords) protected readonly records: ToolCallRecords,
  ) {}

  @Get('deprecations')
  @AdminRead('List stored deprecations by tool', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(DeprecationAnswer) })
  listDeprecations(@AdminQuery(PageQuery) query: Checked<PageQuery>): Promise<Page<DeprecationAnswer>> {
    const read = (page: PageRequest<string>) => this.deprecations.list(page);
    return readPage(query, CURSOR, ({ tool }) => tool, read);
  }

  @Get('deprecations/:tool/callers')
  @AdminRead('Who still calls a tool, from the record', 'NOT_FOUND', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: CallersAnswer })
  listCallers(
    @AdminParam('tool') tool: string,
    @AdminQuery(CallersQuery) { since = Date.now() - MONTH_MS }: Checked<CallersQuery>,
  ): Promise<CallersAnswer> {
    if (!this.records.isOn) {
      throw new ToolSearchError('NOT_FOUND', 'Calls are not recorded in this application.', {
        hint: 'Turn on the option record.',
      });
    }
    return remainingCallers(this.records, tool, since);
  }

  @Put('deprecations/:tool')
  @AdminDecision('Deprecate a tool', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: DeprecationAnswer })
  setDeprecation(
    @AdminParam('tool') tool: string,
    @AdminBody(SetDeprecationBody) { deprecation, ...body }: Checked<SetDeprecationBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<DeprecationAnswer> {
    return this.deprecations.set(tool, deprecation, { ...body, ...operator });
  }

  @Delete('deprecations/:tool')
  @AdminDecision('Remove a stored deprecation', 'NOT_FOUND', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: DeprecationRemoved })
  async removeDeprecation(
    @AdminParam('tool') tool: string,
    @AdminQuery(RemovalQuery) query: Checked<RemovalQuery>,
    @Operator() operator: OperatorIdentity,
  ): Promise<DeprecationRemoved> {
    return { revision: await this.deprecations.remove(tool, { ...query, ...operator }) };
  }
}
