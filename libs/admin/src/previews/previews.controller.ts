import { Get, Inject, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ToolCatalog, type ToolDefinition, ToolSearchError, ToolSearchService } from '@tool-search/core';
import type { ToolPreview } from '@tool-search/core/internal';
import { AdminController, AdminRead } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import { BlastRadius } from './blast-radius.js';
import {
  BlastRadiusAnswer,
  DefinitionAnswer,
  DefinitionQuery,
  SearchPreviewAnswer,
  SearchPreviewBody,
  SurfacePreviewAnswer,
  SurfacePreviewBody,
  SwitchPreviewBody,
  ViewDiffAnswer,
  ViewDiffBody,
  type ViewDifference,
} from './previews.dto.js';

const PROBLEMS = ['INVALID_CONTEXT', 'GATE_CLOSED', 'STORE_UNAVAILABLE'] as const;
const MAX_LISTED = 200;
const MAX_EXPLAINED = 25;

/** Routes that show what a context sees, and what a switch would turn off. They leave no trace. */
@AdminController()
export class PreviewsController {
  constructor(
    @Inject(ToolSearchService) protected readonly toolSearch: ToolSearchService,
    @Inject(ToolCatalog) protected readonly catalog: ToolCatalog,
    @Inject(BlastRadius) protected readonly blastRadius: BlastRadius,
  ) {}

  @Post('previews/search')
  @TenantIn('body.context.tenantId')
  @AdminRead('Search as a context would, with the parts of the scores', 'INVALID_QUERY', ...PROBLEMS)
  @ApiOkResponse({ type: SearchPreviewAnswer })
  async previewSearch(
    @AdminBody(SearchPreviewBody) { context, ...request }: Checked<SearchPreviewBody>,
  ): Promise<SearchPreviewAnswer> {
    const { reply, answerTokens, definitionTokens, tokenizer } = await this.toolSearch.preview(context).search(request);
    const { verdict, tools, unmatched, notice, hint } = reply;
    return {
      verdict,
      hits: tools.map(({ name, description, score, match, why, parts = [] }, index) => ({
        name,
        description,
        score,
        match,
        ...(why && { why }),
        parts,
        tokens: definitionTokens[index] ?? 0,
      })),
      unmatched,
      ...(notice !== undefined && { notice }),
      ...(hint !== undefined && { hint }),
      answerTokens,
      tokenizer,
    };
  }

  @Post('previews/surface')
  @TenantIn('body.context.tenantId')
  @AdminRead('What a model of a context is sent at its first step, and what it costs', ...PROBLEMS)
  @ApiOkResponse({ type: SurfacePreviewAnswer })
  async previewSurface(
    @AdminBody(SurfacePreviewBody) { context, ...request }: Checked<SurfacePreviewBody>,
  ): Promise<SurfacePreviewAnswer> {
    const { surface, toolTokens, metaTokens, ...counts } = await this.toolSearch.preview(context).surface(request);
    const { mode, reason, tools, meta, prompt } = surface;
    const { shownTokens, fullTokens, visible, tokenizer } = counts;
    const shown = (tokens: readonly number[]) => (tool: { name: string; description: string }, index: number) => ({
      name: tool.name,
      description: tool.description,
      tokens: tokens[index] ?? 0,
    });
    return {
      mode,
      reason: reason.text,
      tools: tools.slice(0, MAX_LISTED).map(shown(toolTokens)),
      listed: tools.length,
      visible,
      meta: meta.map(shown(metaTokens)),
      prompt,
      shownTokens,
      fullTokens,
      tokenizer,
    };
  }

  @Post('previews/diff')
  @TenantIn('body.left.tenantId', 'body.right.tenantId')
  @AdminRead('The tools that only one of two contexts can see, and the layer that decides', ...PROBLEMS)
  @ApiOkResponse({ type: ViewDiffAnswer })
  async previewDiff(@AdminBody(ViewDiffBody) { left, right }: ViewDiffBody): Promise<ViewDiffAnswer> {
    const [one, other] = [this.toolSearch.preview(left), this.toolSearch.preview(right)];
    const [seen, seenByOther] = await Promise.all([one.visible(), other.visible()]);
    const [onlyLeft, onlyRight] = [missingIn(seenByOther, seen), missingIn(seen, seenByOther)];
    const [leftTools, rightTools] = await Promise.all([explained(onlyLeft, other), explained(onlyRight, one)]);
    return {
      both: seen.length - onlyLeft.length,
      left: { visible: seen.length, only: onlyLeft.length, tools: leftTools },
      right: { visible: seenByOther.length, only: onlyRight.length, tools: rightTools },
    };
  }

  @Post('kill-switches/preview')
  @TenantIn('body.tenantId')
  @AdminRead('What a kill switch would turn off, before it is engaged', 'GATE_CLOSED', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: BlastRadiusAnswer })
  previewKillSwitch(@AdminBody(SwitchPreviewBody) target: SwitchPreviewBody): Promise<BlastRadiusAnswer> {
    return this.blastRadius.of(target);
  }

  @Get('catalog/:name')
  @TenantIn('query.tenantId')
  @AdminRead('One definition as a model receives it', 'NOT_FOUND')
  @ApiOkResponse({ type: DefinitionAnswer })
  definition(
    @AdminParam('name') name: string,
    @AdminQuery(DefinitionQuery) { owner = '', kind, tenantId }: DefinitionQuery,
  ): DefinitionAnswer {
    const tool = this.catalog
      .definitions()
      .find((each) => each.name === name && each.owner === owner && (each.kind ?? 'tool') === kind);
    if (!tool || (tenantId !== undefined && owner !== '' && owner !== tenantId)) {
      throw new ToolSearchError('NOT_FOUND', 'No definition has this name and owner.', {
        hint: 'List the catalog to see the names and owners.',
      });
    }
    const { source, description, inputSchema, aliases, exampleQueries, hash, tags, sideEffects } = tool;
    return { name, source, owner, description, inputSchema, aliases, exampleQueries, hash, tags, sideEffects };
  }
}

function missingIn(others: readonly ToolDefinition[], tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const keys = new Set(others.map(keyOf));
  return tools.filter((tool) => !keys.has(keyOf(tool)));
}

const keyOf = ({ owner, name }: ToolDefinition): string => JSON.stringify([owner, name]);

/** Why the other context cannot see these tools. */
async function explained(tools: readonly ToolDefinition[], other: ToolPreview): Promise<ViewDifference[]> {
  const differences: ViewDifference[] = [];
  for (const [index, { name }] of tools.slice(0, MAX_LISTED).entries()) {
    const layers = index < MAX_EXPLAINED ? (await other.explain(name)).layers : [];
    const denied = layers.find(({ verdict }) => verdict === 'deny');
    differences.push({
      name,
      ...(denied && { layer: denied.layer, rule: denied.rule, reason: denied.reason }),
    });
  }
  return differences;
}
