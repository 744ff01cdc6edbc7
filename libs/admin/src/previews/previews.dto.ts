import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type {
  JsonSchema,
  ToolContext,
  SearchRequest,
  SurfaceRequest,
  FoundTool,
  SearchReply,
  Surface,
  ToolDefinition,
} from '@tool-search/core';
import {
  EXPOSURE_MODES,
  ITEM_KINDS,
  KILL_SWITCH_KINDS,
  type KillSwitchTarget,
  type LayerVerdict,
  type PromptParts,
  SEARCH_VERDICTS,
  SIDE_EFFECTS,
  type ScorePart,
  type SearchPreview,
  type SurfacePreview,
  type TokenizerName,
  TOKENIZERS,
} from '@tool-search/core/internal';
import { IsIn, IsObject, IsString, Length } from 'class-validator';
import {
  IsOptionalButNotNull,
  OptionalInteger,
  OptionalOneOf,
  OptionalText,
} from '../request/validation.decorators.js';
import { LAYER } from '../explain/explain.dto.js';
import type { Every } from '../request/every.js';

const CONTEXT = {
  type: 'object',
  additionalProperties: true,
  description: "A context as the application's code would give it. Its session and run are left out.",
  example: { tenantId: 'acme', userId: 'ada', roles: ['finance'] },
} as const;

const TOKENIZER = { enum: TOKENIZERS, enumName: 'TokenizerName' } as const;

class PreviewBody {
  @ApiProperty(CONTEXT)
  @IsObject()
  readonly context: ToolContext;
}

export class SearchPreviewBody
  extends PreviewBody
  implements Every<SearchPreviewBody, Pick<SearchRequest, 'query' | 'namespace' | 'limit'>>
{
  @ApiProperty({ example: 'give the customer the money back' })
  @IsString()
  @Length(1, 4000)
  readonly query: string;

  @OptionalText({ example: 'billing', description: 'Only tools of this namespace and of those below it.' }, 128)
  readonly namespace?: string;

  @OptionalInteger({ example: 10, description: 'How many hits; the module has a maximum.' }, 1)
  readonly limit?: number;
}

const MODES = [...EXPOSURE_MODES, 'auto'] as const;
const KINDS = ['tool', ...ITEM_KINDS] as const;

/** The modes by name, without the other spellings of a setting. */
type PreviewMode = Exclude<Extract<SurfaceRequest['mode'], string>, 'on' | 'off'>;

export class SurfacePreviewBody
  extends PreviewBody
  implements Every<SurfacePreviewBody, Pick<SurfaceRequest, 'text'> & { readonly mode?: PreviewMode }>
{
  @OptionalText({ example: 'refund an invoice', description: "The user's request, for hints." }, 4000)
  readonly text?: string;

  @OptionalOneOf(MODES, 'PreviewMode') readonly mode?: (typeof MODES)[number];
}

export class ViewDiffBody {
  @ApiProperty(CONTEXT)
  @IsObject()
  readonly left: ToolContext;

  @ApiProperty({ ...CONTEXT, example: { tenantId: 'globex', userId: 'homer' } })
  @IsObject()
  readonly right: ToolContext;
}

export class ScorePartAnswer implements Every<ScorePartAnswer, ScorePart> {
  @ApiProperty({ example: 'name' }) readonly field: string;
  @ApiPropertyOptional({ example: 'money' }) readonly word?: string;
  @ApiPropertyOptional({ description: 'The form of the word that the tool has.', example: 'refund' })
  readonly as?: string;
  @ApiProperty({ example: 0.41 }) readonly score: number;
}

export class PreviewedHit implements Every<
  PreviewedHit,
  Pick<FoundTool, 'name' | 'description' | 'score' | 'match' | 'why' | 'parts'>
> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiProperty() readonly description: string;
  @ApiProperty({ description: 'From 0 to 1.', example: 0.81 }) readonly score: number;
  @ApiProperty({ example: 'words' }) readonly match: string;
  @ApiPropertyOptional({ type: [String], description: 'Words of the query that the tool contains.' })
  readonly why?: readonly string[];
  @ApiProperty({ type: [ScorePartAnswer], description: 'The 50 largest parts of the score.' })
  readonly parts: readonly ScorePartAnswer[];
  @ApiProperty({ description: 'Tokens of the definition, which a model pays for once it is listed.', example: 120 })
  readonly tokens: number;
}

export class SearchPreviewAnswer implements Every<
  SearchPreviewAnswer,
  Pick<SearchReply, 'verdict' | 'unmatched' | 'notice' | 'hint'> & Pick<SearchPreview, 'answerTokens' | 'tokenizer'>
> {
  @ApiProperty({ enum: SEARCH_VERDICTS }) readonly verdict: SearchReply['verdict'];
  @ApiProperty({ type: [PreviewedHit] }) readonly hits: readonly PreviewedHit[];
  @ApiProperty({ type: [String], description: 'Words that no visible tool contains.' })
  readonly unmatched: readonly string[];
  @ApiPropertyOptional({ description: 'What a model is told of the search.' }) readonly notice?: string;
  @ApiPropertyOptional({ description: 'What a model is told to do next.' }) readonly hint?: string;
  @ApiProperty({ description: 'Tokens of the answer as a model reads it.', example: 310 })
  readonly answerTokens: number;
  @ApiProperty(TOKENIZER) readonly tokenizer: TokenizerName;
}

export class PreviewedTool implements Every<PreviewedTool, Pick<ToolDefinition, 'name' | 'description'>> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiProperty() readonly description: string;
  @ApiProperty({ example: 120 }) readonly tokens: number;
}

export class PromptAnswer implements Every<PromptAnswer, PromptParts> {
  @ApiPropertyOptional({ description: 'How to use the meta tools.' }) readonly guidance?: string;
  @ApiPropertyOptional({ description: 'The searchable tools, in groups.' }) readonly directory?: string;
  @ApiPropertyOptional({ description: "Tools that match the user's request." }) readonly hints?: string;
}

export class SurfacePreviewAnswer implements Every<
  SurfacePreviewAnswer,
  Pick<Surface, 'mode'> & Omit<SurfacePreview, 'surface' | 'toolTokens' | 'metaTokens'>
> {
  @ApiProperty({ enum: EXPOSURE_MODES }) readonly mode: Surface['mode'];
  @ApiProperty({ description: 'Why the mode was chosen.' }) readonly reason: string;
  @ApiProperty({ type: [PreviewedTool], description: 'The first 200 that are listed.' })
  readonly tools: readonly PreviewedTool[];
  @ApiProperty({ description: 'How many are listed.', example: 9 }) readonly listed: number;
  @ApiProperty({ description: 'How many the context can see.', example: 1206 }) readonly visible: number;
  @ApiProperty({ type: [PreviewedTool] }) readonly meta: readonly PreviewedTool[];
  @ApiProperty() readonly prompt: PromptAnswer;
  @ApiProperty({ description: 'Tokens of all that is sent.', example: 1890 }) readonly shownTokens: number;
  @ApiProperty({ description: 'Tokens of a plain list of all visible tools.', example: 212_000 })
  readonly fullTokens: number;
  @ApiProperty(TOKENIZER) readonly tokenizer: TokenizerName;
}

export class ViewDifference implements Every<ViewDifference, Partial<Omit<LayerVerdict, 'verdict'>>> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiPropertyOptional({
    ...LAYER,
    description: 'The layer that hides it from the other context.',
    example: 'visibility',
  })
  readonly layer?: LayerVerdict['layer'];
  @ApiPropertyOptional({ example: 'plan:business' }) readonly rule?: string;
  @ApiPropertyOptional() readonly reason?: string;
}

export class ViewSide {
  @ApiProperty({ description: 'How many tools this context can see.', example: 1206 }) readonly visible: number;
  @ApiProperty({ description: 'How many of them only this context can see.', example: 4 }) readonly only: number;
  @ApiProperty({ type: [ViewDifference], description: 'The first 200 of those; layers of the first 25.' })
  readonly tools: readonly ViewDifference[];
}

export class ViewDiffAnswer {
  @ApiProperty({ description: 'How many tools both can see.', example: 1202 }) readonly both: number;
  @ApiProperty() readonly left: ViewSide;
  @ApiProperty() readonly right: ViewSide;
}

export class DefinitionQuery {
  @OptionalText({ example: 'acme', description: 'The tenant that owns the tool. Left out: shared.' })
  readonly owner?: string;

  @OptionalText({ example: 'acme', description: 'Only if the definition is open to this tenant.' })
  readonly tenantId?: string;

  @ApiPropertyOptional({ enum: KINDS, default: 'tool' })
  @IsOptionalButNotNull()
  @IsIn(KINDS)
  readonly kind: (typeof KINDS)[number] = 'tool';
}

/** A definition as a model receives it. */
export class DefinitionAnswer implements Every<
  DefinitionAnswer,
  Pick<
    ToolDefinition,
    | 'name'
    | 'source'
    | 'owner'
    | 'description'
    | 'inputSchema'
    | 'aliases'
    | 'exampleQueries'
    | 'hash'
    | 'tags'
    | 'sideEffects'
  >
> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiProperty({ example: 'app' }) readonly source: string;
  @ApiProperty({ example: '' }) readonly owner: string;
  @ApiProperty() readonly description: string;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'JSON Schema.' })
  readonly inputSchema: JsonSchema;
  @ApiProperty({ type: [String] }) readonly aliases: readonly string[];
  @ApiProperty({ type: [String], description: 'Searched, and never shown to a model.' })
  readonly exampleQueries: readonly string[];
  @ApiProperty({ description: 'SHA-256 of the definition.' }) readonly hash: string;
  @ApiProperty({ type: [String], example: ['billing', 'money'] }) readonly tags: readonly string[];
  @ApiProperty({ enum: SIDE_EFFECTS, enumName: 'SideEffects' })
  readonly sideEffects: ToolDefinition['sideEffects'];
}

export class SwitchPreviewBody implements Omit<KillSwitchTarget, 'tenantId'> {
  @ApiProperty({ enum: KILL_SWITCH_KINDS, example: 'tool' })
  @IsIn(KILL_SWITCH_KINDS)
  readonly kind: KillSwitchTarget['kind'];

  @ApiProperty({ example: 'billing.refund_invoice' })
  @IsString()
  readonly value: string;

  @OptionalText({ example: 'acme', description: 'Left out: everybody.' }) readonly tenantId?: string;
}

export class BlastRadiusAnswer {
  @ApiProperty({ description: 'Tools that the switch matches now.', example: 3 }) readonly matched: number;
  @ApiProperty({ type: [String], description: 'The names of the first 50.' }) readonly tools: readonly string[];
  @ApiProperty({ type: [String], description: 'The sources of these tools, at most 50.' })
  readonly sources: readonly string[];
  @ApiProperty({ description: 'How many of them another live switch keeps off already.', example: 0 })
  readonly alreadyOff: number;
  @ApiProperty({ description: 'Activations of these tools in runs and sessions, counted up to 2,000.', example: 12 })
  readonly activations: number;
  @ApiProperty({ type: [String], description: 'The tenants of these activations, at most 50.' })
  readonly tenants: readonly string[];
  @ApiProperty({ description: 'Whether not all of the activations were counted.' }) readonly isCut: boolean;
  @ApiProperty({ description: 'It turns every tool off, and needs `confirm: "all"`.' }) readonly everything: boolean;
  @ApiProperty({ description: 'The revision of the switch of this target; 0: there is none.', example: 0 })
  readonly revision: number;
}
