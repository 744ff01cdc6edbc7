import { Inject, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { type Toolbox, ToolSearchService } from '@tool-search/core';
import { explanationDiff, PastDecisions } from '@tool-search/core/operators';
import type { LayerVerdict } from '@tool-search/core/internal';
import { AdminController, AdminRead } from '../access/admin-route.decorator.js';
import type { OperatorAccess } from '../access/operator-access.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { Access } from '../request/operator.decorator.js';
import { AdminBody } from '../request/request-part.decorator.js';
import {
  ExplainBody,
  ExplainDiffBody,
  ExplainPastBody,
  ExplanationAnswer,
  ExplanationDiffAnswer,
  PastExplanationAnswer,
  type ToolStateAnswer,
  ToolStatesAnswer,
  ToolStatesBody,
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
  @TenantIn('body.context.tenantId')
  @AdminRead('Why a context may or may not use a tool', 'INVALID_ARGUMENTS', 'ARGUMENTS_TOO_LARGE', ...PROBLEMS)
  @ApiOkResponse({ type: ExplanationAnswer })
  async explain(
    @AdminBody(ExplainBody) { tool, context, arguments: given }: ExplainBody,
    @Access() access: OperatorAccess,
  ): Promise<ExplanationAnswer> {
    return shownTo(access, await this.toolSearch.open(context).explain(tool, { arguments: given }));
  }

  @Post('explain/states')
  @TenantIn('body.context.tenantId')
  @AdminRead('Whether a context may use each of some tools, and the layer that decides; leaves no trace', ...PROBLEMS)
  @ApiOkResponse({ type: ToolStatesAnswer })
  async toolStates(
    @AdminBody(ToolStatesBody) { tools, context }: ToolStatesBody,
    @Access() access: OperatorAccess,
  ): Promise<ToolStatesAnswer> {
    const preview = this.toolSearch.preview(context);
    const explanations = await Promise.all(tools.map((tool) => preview.explain(tool)));
    const items = explanations.map((explanation, index) => stateOf(tools[index] ?? '', shownTo(access, explanation)));
    return { items };
  }

  @Post('explain/past')
  @TenantIn('body.context.tenantId')
  @AdminRead('How a recorded call of a context was decided', 'NOT_FOUND', 'INVALID_CONTEXT', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PastExplanationAnswer })
  explainPast(@AdminBody(ExplainPastBody) { tool, context, at }: ExplainPastBody): Promise<PastExplanationAnswer> {
    return this.past.explain(tool, context, { at });
  }

  @Post('explain/diff')
  @TenantIn('body.left.tenantId', 'body.right.tenantId')
  @AdminRead('Where two contexts part about a tool', ...PROBLEMS)
  @ApiOkResponse({ type: ExplanationDiffAnswer })
  async explainDiff(
    @AdminBody(ExplainDiffBody) { tool, left, right }: ExplainDiffBody,
    @Access() access: OperatorAccess,
  ): Promise<ExplanationDiffAnswer> {
    const boxes = [left, right].map((context) => this.toolSearch.open(context));
    const explain = async (toolbox: Toolbox) => shownTo(access, await toolbox.explain(tool));
    const [one, other] = await Promise.all(boxes.map(explain));
    return explanationDiff(one as ExplanationAnswer, other as ExplanationAnswer);
  }
}

// By the name that was asked about, which may be an alias.
function stateOf(tool: string, { outcome, layers }: ExplanationAnswer): ToolStateAnswer {
  const decisive = outcome === 'allow' ? undefined : layers.find(({ verdict }) => verdict === outcome);
  return {
    tool,
    outcome,
    ...(decisive && { layer: decisive.layer, rule: decisive.rule, reason: decisive.reason }),
  };
}

// The counter of a limit may be one that all tenants share.
function shownTo({ tenants }: OperatorAccess, explanation: ExplanationAnswer): ExplanationAnswer {
  if (tenants === 'all') return explanation;
  const reasonOf = (verdict: LayerVerdict['verdict']) =>
    verdict === 'deny' ? 'a limit is reached' : verdict === 'pass' ? 'no limit refuses it' : '';
  const layers = explanation.layers.map(({ layer, verdict, rule, reason }) => ({
    layer,
    verdict,
    rule,
    reason: layer === 'limit' ? reasonOf(verdict) : reason,
  }));
  const { tool, outcome } = explanation;
  return { tool, outcome, layers };
}
