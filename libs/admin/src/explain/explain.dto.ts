import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ToolContext } from '@tool-search/core';
import {
  DECISIONS,
  EXPLAINED_LAYERS,
  type Explanation,
  type ExplanationDiff,
  LAYER_VERDICTS,
  LAYERS,
  type LayerVerdict,
  type PastExplanation,
  type PastLayer,
} from '@tool-search/core/internal';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Min,
} from 'class-validator';
import type { Every } from '../request/every.js';

const CONTEXT = {
  type: 'object',
  additionalProperties: true,
  description: "A context as the application's code would give it.",
  example: { tenantId: 'acme', userId: 'ada', roles: ['finance'] },
} as const;

/** How the document describes a layer. */
export const LAYER = { enum: [...EXPLAINED_LAYERS], enumName: 'ToolLayer' };

class ToolBody {
  @ApiProperty({ example: 'billing.refund_invoice' })
  @IsString()
  @Length(1, 256)
  readonly tool: string;
}

class ExplainContextBody extends ToolBody {
  @ApiProperty(CONTEXT)
  @IsObject()
  readonly context: ToolContext;
}

export class ExplainBody extends ExplainContextBody {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { invoice: 'in_17', amount: 1200 },
    description:
      'Arguments of a call, for the rules on arguments and call policies. Without them, the answer says which look at them.',
  })
  @IsOptional()
  @IsObject()
  readonly arguments?: object;
}

const MAX_STATES = 100;

export class ToolStatesBody {
  @ApiProperty({ type: [String], minItems: 1, maxItems: MAX_STATES, example: ['billing.refund_invoice'] })
  @IsString({ each: true })
  @Length(1, 256, { each: true })
  @ArrayMaxSize(MAX_STATES)
  @ArrayMinSize(1)
  @IsArray()
  readonly tools: readonly string[];

  @ApiProperty({ ...CONTEXT, description: `${CONTEXT.description} Its session and run are left out.` })
  @IsObject()
  readonly context: ToolContext;
}

/** What all checks together decide about one tool. */
export class ToolStateAnswer {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ enum: DECISIONS }) readonly outcome: Explanation['outcome'];
  @ApiPropertyOptional({ ...LAYER, description: 'The layer that decides; absent for allow.' })
  readonly layer?: LayerVerdict['layer'];
  @ApiPropertyOptional({ example: 'stored-tenant:deny:billing.refund_*' }) readonly rule?: string;
  @ApiPropertyOptional({ example: 'the policy denies billing.refund_*' }) readonly reason?: string;
}

export class ToolStatesAnswer {
  @ApiProperty({ type: [ToolStateAnswer], description: 'In the order of the names.' })
  readonly items: readonly ToolStateAnswer[];
}

export class ExplainPastBody extends ExplainContextBody {
  @ApiProperty({ description: 'A moment of the past, in epoch milliseconds, as `at` of a record.' })
  @Min(0)
  @IsInt()
  readonly at: number;
}

export class ExplainDiffBody extends ToolBody {
  @ApiProperty(CONTEXT)
  @IsObject()
  readonly left: ToolContext;

  @ApiProperty({ ...CONTEXT, example: { tenantId: 'globex', userId: 'homer' } })
  @IsObject()
  readonly right: ToolContext;
}

export class LayerAnswer implements Every<LayerAnswer, LayerVerdict> {
  @ApiProperty(LAYER) readonly layer: LayerVerdict['layer'];
  @ApiProperty({ enum: LAYER_VERDICTS, example: 'deny' })
  readonly verdict: LayerVerdict['verdict'];
  @ApiProperty({ example: 'stored-tenant:deny:billing.refund_*' }) readonly rule: string;
  @ApiProperty({ example: 'the policy denies billing.refund_*' }) readonly reason: string;
}

export class ExplanationAnswer implements Every<ExplanationAnswer, Explanation> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ enum: DECISIONS }) readonly outcome: Explanation['outcome'];
  @ApiProperty({ type: [LayerAnswer], description: 'In the order in which they are asked.' })
  readonly layers: readonly LayerAnswer[];
}

export class PastLayerAnswer extends LayerAnswer implements Every<PastLayerAnswer, PastLayer> {
  @ApiProperty({ enum: [...LAYERS], enumName: 'DecidingLayer' }) declare readonly layer: PastLayer['layer'];
}

export class PastExplanationAnswer implements Every<PastExplanationAnswer, PastExplanation> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly at: number;
  @ApiProperty({ enum: DECISIONS }) readonly outcome: PastExplanation['outcome'];
  @ApiProperty({ description: 'The id of the record.' }) readonly record: string;
  @ApiProperty({ description: 'Whether a profile or a narrowing of the toolbox took part in the decision.' })
  readonly narrowed: boolean;
  @ApiProperty({ type: [PastLayerAnswer] }) readonly layers: readonly PastLayerAnswer[];
}

export class LayerDifference {
  @ApiProperty(LAYER) readonly layer: LayerVerdict['layer'];
  @ApiProperty() readonly left: LayerAnswer;
  @ApiProperty() readonly right: LayerAnswer;
}

export class ExplanationDiffAnswer implements Every<ExplanationDiffAnswer, ExplanationDiff> {
  @ApiProperty() readonly left: ExplanationAnswer;
  @ApiProperty() readonly right: ExplanationAnswer;
  @ApiProperty() readonly isSame: boolean;
  @ApiPropertyOptional({ ...LAYER, description: 'The first layer that says something else, the one to look at.' })
  readonly partsAt?: LayerVerdict['layer'];
  @ApiProperty({ type: [LayerDifference] }) readonly differences: readonly LayerDifference[];
}
