import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import type { JsonObject } from '@tool-search/core';
import { CONTROL_KINDS } from '@tool-search/core/operators';
import type { AuditEntry, AuditFilter, ControlKind } from '@tool-search/core/stores';
import type { AuditVerdict, BrokenChain, RecordFault } from '@tool-search/core/internal';
import { Matches, ValidateIf } from 'class-validator';
import { PageQuery } from '../request/page.js';
import {
  IsOptionalButNotNull,
  OptionalText,
  OptionalWholeNumber,
  WholeNumber,
} from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

export class AuditQuery extends PageQuery implements Every<AuditQuery, AuditFilter> {
  @OptionalText({ example: 'acme' }) readonly tenantId?: string;
  @OptionalText({ example: 'olga@ops' }, 513) readonly actor?: string;

  @ApiPropertyOptional({ example: 'kill_switch.', description: 'An action, or with a dot at its end all of a noun.' })
  @IsOptionalButNotNull()
  @Matches(/^[a-z_]{1,64}\.[a-z_]{0,64}$/, { message: 'action must be like kill_switch.engaged or kill_switch.' })
  readonly action?: string;

  @OptionalWholeNumber({ description: 'Epoch milliseconds, inclusive.' }, 0) readonly since?: number;
  @OptionalWholeNumber({ description: 'Epoch milliseconds, exclusive.' }, 0) readonly until?: number;
}

export class AuditExportQuery extends OmitType(AuditQuery, ['limit', 'cursor']) {}

const isGiven = ({ seq, hash }: AuditVerifyQuery): boolean => seq !== undefined || hash !== undefined;

export class AuditVerifyQuery {
  @ApiPropertyOptional({ example: 31, description: 'Its sequence number; with `hash`.' })
  @ValidateIf(isGiven)
  @WholeNumber(1)
  readonly seq?: number;

  @ApiPropertyOptional({ description: 'Its hash; with `seq`.' })
  @ValidateIf(isGiven)
  @Matches(/^[0-9a-f]{64}$/, { message: 'hash must be 64 hexadecimal digits' })
  readonly hash?: string;
}

export class HistoryQuery extends OmitType(AuditQuery, ['action']) {}

const RECORD = { type: 'object', additionalProperties: true, nullable: true } as const;

export class AuditEntryAnswer implements Every<AuditEntryAnswer, AuditEntry> {
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

export class BrokenChainAnswer implements Every<BrokenChainAnswer, BrokenChain> {
  @ApiProperty({ example: 17 }) readonly seq: number;
  @ApiProperty({ example: 'the entry was changed' }) readonly reason: string;
}

export class RecordFaultAnswer implements Every<RecordFaultAnswer, RecordFault> {
  @ApiProperty({ enum: [...CONTROL_KINDS.stored, ...CONTROL_KINDS.asked].map(({ kind }) => kind) })
  readonly kind: ControlKind;
  @ApiProperty({ example: 'ks_5f2a7c0e9b1d4a6f8e3c2b1a' }) readonly key: string;
  @ApiProperty({ example: 12 }) readonly revision: number;
  @ApiProperty({ example: 'the record is missing' }) readonly reason: string;
}

export class AuditVerdictAnswer implements Every<AuditVerdictAnswer, AuditVerdict> {
  @ApiProperty({ description: 'The trail is whole, and all records are as it says.' }) readonly valid: boolean;
  @ApiProperty({ example: 31 }) readonly entries: number;
  @ApiProperty({ description: 'The control revision of the last entry.', example: 12 }) readonly revision: number;
  @ApiPropertyOptional({ description: 'The first place where it is not whole; absent when it is.' })
  readonly broken?: BrokenChainAnswer;
  @ApiPropertyOptional({ type: [RecordFaultAnswer], description: 'At most 100; absent when there are none.' })
  readonly records?: readonly RecordFaultAnswer[];
}
