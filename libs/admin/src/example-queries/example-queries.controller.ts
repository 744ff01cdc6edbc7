import { Delete, Get, Inject, Post, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ExampleQueries } from '@tool-search/core/operators';
import type { ToolQueries } from '@tool-search/core/internal';
import { AdminController, AdminDecision, AdminRead } from '../access/admin-route.decorator.js';
import { ChangeBody, RemovalQuery } from '../request/change.dto.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, isText, type Page, pageOf, PageOf } from '../request/page.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import {
  AddQueriesBody,
  ExampleQueriesQuery,
  SetQueriesBody,
  ToolQueriesAnswer,
  WritingStatusAnswer,
} from './example-queries.dto.js';

const CURSOR = new Cursor('example-queries', isText);

/** Routes for the example queries that were written, read from files or set by operators. */
@AdminController()
export class ExampleQueriesController {
  constructor(@Inject(ExampleQueries) protected readonly queries: ExampleQueries) {}

  @Get('example-queries')
  @AdminRead('List the example queries of the tools, by id')
  @ApiOkResponse({ type: PageOf(ToolQueriesAnswer) })
  listExampleQueries(
    @AdminQuery(ExampleQueriesQuery) { limit, cursor, source, tenantId, q = '' }: ExampleQueriesQuery,
  ): Page<ToolQueriesAnswer> {
    const after = CURSOR.read(cursor) ?? '';
    const found = this.queries
      .list()
      .filter(({ id, tool }) => id > after && tool.name.startsWith(q))
      .filter(({ tool }) => source === undefined || tool.source === source)
      .filter(({ tool }) => tenantId === undefined || tool.owner === '' || tool.owner === tenantId)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit + 1)
      .map(shown);
    return pageOf(found, limit, CURSOR, ({ id }) => id);
  }

  @Get('example-queries/status')
  @AdminRead('How far writing is, and what it has cost', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: WritingStatusAnswer })
  async exampleQueryStatus(): Promise<WritingStatusAnswer> {
    return { ...this.queries.status(), spend: await this.queries.spend() };
  }

  @Get('example-queries/:id')
  @AdminRead('The example queries of one definition', 'NOT_FOUND')
  @ApiOkResponse({ type: ToolQueriesAnswer })
  findExampleQueries(@AdminParam('id') id: string): ToolQueriesAnswer {
    return shown(this.queries.get(id));
  }

  @Put('example-queries/:id')
  @AdminDecision("Replace what is searched beside the author's own", 'NOT_FOUND', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: ToolQueriesAnswer })
  async setExampleQueries(
    @AdminParam('id') id: string,
    @AdminBody(SetQueriesBody) { queries, ...body }: Checked<SetQueriesBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<ToolQueriesAnswer> {
    return shown(await this.queries.set(id, queries, { ...body, ...operator }));
  }

  @Post('example-queries/:id/add')
  @AdminDecision('Add queries to those of a definition', 'NOT_FOUND', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: ToolQueriesAnswer })
  async addExampleQueries(
    @AdminParam('id') id: string,
    @AdminBody(AddQueriesBody) { queries, ...body }: Checked<AddQueriesBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<ToolQueriesAnswer> {
    return shown(await this.queries.add(id, queries, { ...body, ...operator }));
  }

  @Delete('example-queries/:id')
  @AdminDecision("Remove all queries but the author's own", 'NOT_FOUND', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: ToolQueriesAnswer })
  async removeExampleQueries(
    @AdminParam('id') id: string,
    @AdminQuery(RemovalQuery) query: Checked<RemovalQuery>,
    @Operator() operator: OperatorIdentity,
  ): Promise<ToolQueriesAnswer> {
    return shown(await this.queries.remove(id, { ...query, ...operator }));
  }

  @Post('example-queries/:id/rewrite')
  @AdminDecision('Discard changes of operators and what was written: a writer is asked anew', 'NOT_FOUND')
  @ApiOkResponse({ type: ToolQueriesAnswer })
  async rewriteExampleQueries(
    @AdminParam('id') id: string,
    @AdminBody(ChangeBody) body: Checked<ChangeBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<ToolQueriesAnswer> {
    return shown(await this.queries.rewrite(id, { ...body, ...operator }));
  }
}

function shown({ tool, ...rest }: ToolQueries): ToolQueriesAnswer {
  const { name, source, owner, hash, description } = tool;
  return { ...rest, name, source, owner, hash, description };
}
