import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Explanation, type ExplanationDiff, LAYERS, type LayerVerdict } from '@tool-search/core';

const LAYER = { enum: [...LAYERS, 'loading', 'activation', 'budget'], enumName: 'ToolLayer' };

/** Verdict of one layer. */
export class LayerAnswer implements LayerVerdict {
  @ApiProperty(LAYER) readonly layer: LayerVerdict['layer'];
  @ApiProperty({ enum: ['pass', 'approve', 'deny', 'not_reached'], example: 'deny' })
  readonly verdict: LayerVerdict['verdict'];
  @ApiProperty({ example: 'stored-tenant:deny:billing.refund_*' }) readonly rule: string;
  @ApiProperty({ example: 'the policy denies billing.refund_*' }) readonly reason: string;
}

/** The reasons why a context may or may not use a tool. */
export class ExplanationAnswer implements Explanation {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ enum: ['allow', 'approve', 'deny'] }) readonly outcome: Explanation['outcome'];
  @ApiProperty({ type: [LayerAnswer], description: 'In the order in which they are asked.' })
  readonly layers: readonly LayerAnswer[];
}

/** A layer with different verdicts for the two contexts. */
export class LayerDifference {
  @ApiProperty(LAYER) readonly layer: LayerVerdict['layer'];
  @ApiProperty() readonly left: LayerAnswer;
  @ApiProperty() readonly right: LayerAnswer;
}

/** The differences between two contexts. */
export class ExplanationDiffAnswer implements ExplanationDiff {
  @ApiProperty() readonly left: ExplanationAnswer;
  @ApiProperty() readonly right: ExplanationAnswer;
  @ApiProperty() readonly isSame: boolean;
  @ApiPropertyOptional({ ...LAYER, description: 'The first layer that says something else, the one to look at.' })
  readonly partsAt?: LayerVerdict['layer'];
  @ApiProperty({ type: [LayerDifference] }) readonly differences: readonly LayerDifference[];
}
