import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AuditEntry, AuditVerdict, BrokenChain, ControlKind, JsonObject, RecordFault } from '@tool-search/core';

const RECORD = { type: 'object', additionalProperties: true, nullable: true } as const;

/** An entry of the audit trail. */
export class AuditEntryAnswer implements AuditEntry {
  @ApiProperty({ description: 'From 1, without a gap.', example: 31 }) readonly seq: number;
  @ApiProperty({ description: 'The control revision after it.', example: 12 }) readonly revision: number;
  @ApiProperty({ description: 'Epoch milliseconds.', example: 1_795_000_000_000 }) readonly at: number;
  @ApiProperty({ example: 'olga@ops' }) readonly actor: string;
  @ApiProperty({ example: 'kill_switch.engaged' }) readonly action: string;
  @ApiProperty({ example: 'tool:billing.refund_invoice' }) readonly subject: string;
  @ApiProperty({ example: 'acme', description: 'Whom it concerns; empty: everybody.' }) readonly tenantId: string;
  @ApiProperty({ example: 'refunds twice since the deploy of 14:00' }) readonly reason: string;
  @ApiProperty({ ...RECORD, description: 'The record before.' }) readonly before: JsonObject | null;
  @ApiProperty({ ...RECORD, description: 'The record after.' }) readonly after: JsonObject | null;
  @ApiProperty({ example: '' }) readonly idempotencyKey: string;
  @ApiProperty({ description: 'Hash of the line before.' }) readonly prevHash: string;
  @ApiProperty({ description: 'SHA-256 of all other fields as JSON with sorted keys.' }) readonly hash: string;
}

/** The first place where the hash chain is broken. */
export class BrokenChainAnswer implements BrokenChain {
  @ApiProperty({ example: 17 }) readonly seq: number;
  @ApiProperty({ example: 'the entry was changed' }) readonly reason: string;
}

/** A record that does not match the audit trail. */
export class RecordFaultAnswer implements RecordFault {
  @ApiProperty({ enum: ['kill_switch', 'policy', 'quarantine', 'approval'] }) readonly kind: ControlKind;
  @ApiProperty({ example: 'ks_5f2a7c0e9b1d4a6f8e3c2b1a' }) readonly key: string;
  @ApiProperty({ example: 12 }) readonly revision: number;
  @ApiProperty({ example: 'the record is missing' }) readonly reason: string;
}

/** Result of the verification of the audit trail. */
export class AuditVerdictAnswer implements AuditVerdict {
  @ApiProperty({ description: 'The trail is whole, and all records are as it says.' }) readonly valid: boolean;
  @ApiProperty({ example: 31 }) readonly entries: number;
  @ApiProperty({ description: 'The control revision of the last entry.', example: 12 }) readonly revision: number;
  @ApiPropertyOptional({ description: 'The first place where it is not whole; absent when it is.' })
  readonly broken?: BrokenChainAnswer;
  @ApiPropertyOptional({ type: [RecordFaultAnswer], description: 'At most 100; absent when there are none.' })
  readonly records?: readonly RecordFaultAnswer[];
}
