import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Explanation, ToolContext } from '@tool-search/core';
import { type ExplanationDiff, LAYERS, type LayerVerdict } from '@tool-search/core/operators';
import { IsObject, IsString, Length } from 'class-validator';

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
