import { ApiProperty } from '@nestjs/swagger';
import type { Approval } from '@tool-search/core';

/** A request to call one tool in one session or run, and its decision. */
export class ApprovalAnswer implements Approval {
  @ApiProperty({ example: 'ap_5e1d7b9c3a2f4e6d8c0b1a2f3e4d5c6b' }) readonly id: string;
  @ApiProperty({ enum: ['pending', 'approved', 'refused'] }) readonly status: Approval['status'];
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 'ada', description: 'Who asked; empty: the context named nobody.' }) readonly userId: string;
  @ApiProperty({ enum: ['run', 'session'] }) readonly scope: Approval['scope'];
  @ApiProperty({ example: 's1' }) readonly scopeId: string;
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly tool: string;
  @ApiProperty({ description: 'It holds for exactly this definition.' }) readonly hash: string;
  @ApiProperty({ example: 'stored-tenant:approval:billing.refund_*' }) readonly rule: string;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly askedAt: number;
  @ApiProperty({ description: 'Epoch milliseconds.' }) readonly expiresAt: number;
  @ApiProperty({ example: 'olga@ops', description: 'Who decided; empty: nobody yet.' }) readonly actor: string;
  @ApiProperty() readonly reason: string;
  @ApiProperty({ description: 'The control revision of the decision; 0: none yet.', example: 12 })
  readonly revision: number;
}
