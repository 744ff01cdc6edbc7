import { Inject, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ToolSearchService } from '@tool-search/core';
import { explanationDiff, PastDecisions } from '@tool-search/core/operators';
import { AdminController, AdminRead } from '../access/admin-route.decorator.js';
import { AdminBody } from '../request/request-part.decorator.js';
import {
  ExplainBody,
  ExplainDiffBody,
  ExplainPastBody,
  ExplanationAnswer,
  ExplanationDiffAnswer,
  PastExplanationAnswer,
} from './explain.dto.js';

const PROBLEMS = ['INVALID_CONTEXT', 'INVALID_SESSION', 'GATE_CLOSED', 'STORE_UNAVAILABLE'] as const;

/** Routes that explain why a context may or may not use a tool. */
@AdminController()
export class ExplainController {
  constructor(
    @Inject(ToolSearchService) protected readonly toolSearch: ToolSearchService,
    @Inject(PastDecisions) protected readonly past: PastDecisions,
  ) {}

  @Post('explain')
  @AdminRead('Why a context may or may not use a tool', ...PROBLEMS)
  @ApiOkResponse({ type: ExplanationAnswer })
  explain(@AdminBody(ExplainBody) { tool, context }: ExplainBody): Promise<ExplanationAnswer> {
    return this.toolSearch.open(context).explain(tool);
  }

  @Post('explain/past')
  @AdminRead('Why a context might or might not use a tool at a moment of the past', ...PROBLEMS)
  @ApiOkResponse({ type: PastExplanationAnswer })
  explainPast(@AdminBody(ExplainPastBody) { tool, context, at }: ExplainPastBody): Promise<PastExplanationAnswer> {
    return this.past.explain(tool, context, { at });
  }

  @Post('explain/diff')
  @AdminRead('Where two contexts part about a tool', ...PROBLEMS)
  @ApiOkResponse({ type: ExplanationDiffAnswer })
  async explainDiff(
    @AdminBody(ExplainDiffBody) { tool, left, right }: ExplainDiffBody,
  ): Promise<ExplanationDiffAnswer> {
    const boxes = [left, right].map((context) => this.toolSearch.open(context));
    const [one, other] = await Promise.all(boxes.map((toolbox) => toolbox.explain(tool)));
    return explanationDiff(one as ExplanationAnswer, other as ExplanationAnswer);
  }
}
