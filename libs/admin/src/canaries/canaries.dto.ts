import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { CanaryShare, StoredCanary } from '@tool-search/core/operators';
import { IsNumber, IsOptional, IsString } from 'class-validator';
import { ChangeBody } from '../request/change.dto.js';

export class SetCanaryBody extends ChangeBody implements CanaryShare {
  @ApiProperty({ description: 'Percent of the tenants, 0 to 100; 0 stops the canary.', example: 10 })
  // The core library checks the range: one check for all callers.
  @IsNumber()
  readonly sharePct: number;
  @ApiPropertyOptional({ description: 'Hash of the canary that the share is for. Required above 0.' })
  @IsOptional()
  @IsString()
  readonly definitionHash?: string;
}

export class StoredCanaryAnswer implements StoredCanary {
  @ApiProperty({ example: 'billing.refund' }) readonly tool: string;
  @ApiProperty({ description: 'Percent of the tenants.', example: 10 }) readonly sharePct: number;
  @ApiProperty({ description: 'Empty: for no definition. For another one the share is only a maximum.' })
  readonly definitionHash: string;
  @ApiProperty({ example: 'the first week went well' }) readonly reason: string;
  @ApiProperty({ example: 'olga@ops' }) readonly actor: string;
  @ApiProperty({ description: 'Epoch milliseconds.', example: 1_795_000_000_000 }) readonly changedAt: number;
  @ApiProperty({ description: 'The control revision that wrote it.', example: 12 }) readonly revision: number;
}

/** A canary of the catalog. */
export class CanaryAnswer {
  @ApiProperty({ example: 'billing.refund' }) readonly tool: string;
  @ApiProperty({ example: 'app' }) readonly source: string;
  @ApiProperty({ description: 'Empty: shared by all tenants.' }) readonly owner: string;
  @ApiProperty({ description: 'Percent of the tenants that are served it.', example: 10 }) readonly sharePct: number;
  @ApiProperty({ description: 'The share that its source declares.', example: 5 }) readonly declaredPct: number;
  @ApiPropertyOptional({ type: StoredCanaryAnswer, description: 'The share that an operator has set, if one has.' })
  readonly stored?: StoredCanaryAnswer;
  @ApiPropertyOptional({ description: 'Why the quarantine holds it: no tenant is served it.' }) readonly held?: string;
  @ApiProperty({ description: 'Hash of its definition.' }) readonly definitionHash: string;
  @ApiProperty({ example: 'Refund an invoice, in whole or in part.' }) readonly description: string;
  @ApiProperty({ type: Object }) readonly inputSchema: object;
}

export class CanaryRemoved {
  @ApiProperty({ description: 'The control revision since which it is gone.', example: 13 }) readonly revision: number;
}
