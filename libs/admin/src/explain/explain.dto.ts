import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Explanation, ToolContext } from '@tool-search/core';
import {
  type ExplanationDiff,
  LAYERS,
  type LayerVerdict,
  type PastExplanation,
  type PastLayer,
} from '@tool-search/core/operators';
import { IsInt, IsObject, IsString, Length, Min } from 'class-validator';

const CONTEXT = {
  type: 'object',
  additionalProperties: true,
  description: "A context as the application's code would give it.",
  example: { tenantId: 'acme', userId: 'ada', roles: ['finance'] },
} as const;

class ToolBody {
  @ApiProperty({ example: 'billing.refund_invoice' })
  @IsString()
  @Length(1, 256)
  readonly tool: string;
}

export class ExplainBody extends ToolBody {
  @ApiProperty(CONTEXT)
  @IsObject()
  readonly context: ToolContext;
}

export class ExplainPastBody extends ExplainBody {
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

const LAYER = { enum: [...LAYERS, 'loading', 'activation', 'budget'], enumName: 'ToolLayer' };

export class LayerAnswer implements LayerVerdict {
  @ApiProperty(LAYER) readonly layer: LayerVerdict['layer'];
  @ApiProperty({ enum: ['pass', 'approve', 'deny', 'not_reached'], example: 'deny' })
  readonly verdict: LayerVerdict['verdict'];
  @ApiProperty({ example: 'stored-tenant:deny:billing.refund_*' }) readonly rule: string;
  @ApiProperty({ example: 'the policy denies billing.refund_*' }) readonly reason: string;
}

export class ExplanationAnswer implements Explanation {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ enum: ['allow', 'approve', 'deny'] }) readonly outcome: Explanation['outcome'];
  @ApiProperty({ type: [LayerAnswer], description: 'In the order in which they are asked.' })
  readonly layers: readonly LayerAnswer[];
}

export class PastLayerAnswer implements PastLayer {
  @ApiProperty({ enum: [...LAYERS], enumName: 'DecidingLayer' }) readonly layer: PastLayer['layer'];
  @ApiProperty({ enum: ['pass', 'approve', 'deny', 'not_reached', 'unknown'] }) readonly verdict: PastLayer['verdict'];
  @ApiProperty({ example: 'stored-tenant:deny:billing.refund_*' }) readonly rule: string;
  @ApiProperty({ example: 'the policy denies billing.refund_*' }) readonly reason: string;
  @ApiProperty({
    enum: ['recorded', 'recomputed', 'not_recorded'],
    enumName: 'Evidence',
    description: 'How it is known: from the record, from what was stored at that moment, or not at all.',
  })
  readonly evidence: PastLayer['evidence'];
}

export class PastExplanationAnswer implements PastExplanation {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly at: number;
  @ApiProperty({ enum: ['allow', 'approve', 'deny', 'unknown'] }) readonly outcome: PastExplanation['outcome'];
  @ApiPropertyOptional({ description: 'The id of the record, if the decision of this moment is recorded.' })
  readonly record?: string;
  @ApiProperty({ type: [PastLayerAnswer] }) readonly layers: readonly PastLayerAnswer[];
}

export class LayerDifference {
  @ApiProperty(LAYER) readonly layer: LayerVerdict['layer'];
  @ApiProperty() readonly left: LayerAnswer;
  @ApiProperty() readonly right: LayerAnswer;
}

export class ExplanationDiffAnswer implements ExplanationDiff {
  @ApiProperty() readonly left: ExplanationAnswer;
  @ApiProperty() readonly right: ExplanationAnswer;
  @ApiProperty() readonly isSame: boolean;
  @ApiPropertyOptional({ ...LAYER, description: 'The first layer that says something else, the one to look at.' })
  readonly partsAt?: LayerVerdict['layer'];
  @ApiProperty({ type: [LayerDifference] }) readonly differences: readonly LayerDifference[];
}
