import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import type { AuditFilter } from '@tool-search/core';
import { IsString, Length, Matches, ValidateIf } from 'class-validator';
import { IsOptionalButNotNull } from '../request/optional.decorator.js';
import { PageQuery } from '../request/page.js';
import { WholeNumber } from '../request/whole-number.decorator.js';

/** Query of `GET audit`. */
export class AuditQuery extends PageQuery implements AuditFilter {
  @ApiPropertyOptional({ example: 'acme' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 256)
  readonly tenantId?: string;

  @ApiPropertyOptional({ example: 'olga@ops' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 513)
  readonly actor?: string;

  @ApiPropertyOptional({ example: 'kill_switch.', description: 'An action, or with a dot at its end all of a noun.' })
  @IsOptionalButNotNull()
  @Matches(/^[a-z_]{1,64}\.[a-z_]{0,64}$/, { message: 'action must be like kill_switch.engaged or kill_switch.' })
  readonly action?: string;

  @ApiPropertyOptional({ description: 'Epoch milliseconds, inclusive.' })
  @IsOptionalButNotNull()
  @WholeNumber(0)
  readonly since?: number;

  @ApiPropertyOptional({ description: 'Epoch milliseconds, exclusive.' })
  @IsOptionalButNotNull()
  @WholeNumber(0)
  readonly until?: number;
}

/** Query of `GET audit/export`. */
export class AuditExportQuery extends OmitType(AuditQuery, ['limit', 'cursor']) {}

const isGiven = ({ seq, hash }: AuditVerifyQuery): boolean => seq !== undefined || hash !== undefined;

/** Query of `GET audit/verify`: an entry that the trail must contain, for example the last one of an export. */
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

/** Query of the history of kill switches. */
export class HistoryQuery extends OmitType(AuditQuery, ['action']) {}
