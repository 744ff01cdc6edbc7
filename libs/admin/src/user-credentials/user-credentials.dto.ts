import { ApiProperty } from '@nestjs/swagger';
import type { OperatorRequest } from '@tool-search/core/operators';
import type { CredentialFilter, CredentialKey } from '@tool-search/core/stores';
import type { CredentialRevocation, CredentialStatus } from '@tool-search/core/internal';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { PageQuery } from '../request/page.js';
import { GivenReason, OptionalText, OptionalTextOrEmpty } from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

const OWNER = 'The tenant that owns the source. Empty: a source that all tenants share.';

export class UserCredentialQuery extends PageQuery implements Every<UserCredentialQuery, CredentialFilter> {
  @OptionalText({ example: 'acme' }) readonly tenantId?: string;
  @OptionalText({ example: 'ada' }) readonly userId?: string;
  @OptionalText({ example: 'mail' }) readonly source?: string;
  @OptionalTextOrEmpty({ example: '', description: OWNER }) readonly owner?: string;
}

export class RevokeCredentialQuery implements Every<
  RevokeCredentialQuery,
  Partial<CredentialKey> & Pick<OperatorRequest, 'reason'>
> {
  @ApiProperty({ example: 'acme' }) @IsString() @MinLength(1) @MaxLength(256) readonly tenantId: string;
  @ApiProperty({ example: 'ada' }) @IsString() @MinLength(1) @MaxLength(256) readonly userId: string;
  @ApiProperty({ example: 'mail' }) @IsString() @MinLength(1) @MaxLength(256) readonly source: string;
  @OptionalTextOrEmpty({ example: '', default: '', description: OWNER }) readonly owner?: string;
  @GivenReason('she has left the company') readonly reason: string;
}

export class UserCredentialAnswer implements Every<UserCredentialAnswer, CredentialStatus> {
  @ApiProperty({ example: 'acme' }) readonly tenantId: string;
  @ApiProperty({ example: 'ada' }) readonly userId: string;
  @ApiProperty({ example: 'mail' }) readonly source: string;
  @ApiProperty({ example: '', description: OWNER }) readonly owner: string;
  @ApiProperty({ example: '2026-11', description: 'The encryption key that it needs.' }) readonly keyId: string;
  @ApiProperty({ description: 'Epoch milliseconds; 0: not known.', example: 1_795_000_000_000 })
  readonly expiresAt: number;
  @ApiProperty({ description: 'Epoch milliseconds.', example: 1_794_000_000_000 }) readonly connectedAt: number;
  @ApiProperty({ description: 'Epoch milliseconds of the last refresh.', example: 1_794_900_000_000 })
  readonly changedAt: number;
}

export class CredentialRevoked implements Every<CredentialRevoked, CredentialRevocation> {
  @ApiProperty({ description: 'Whether there was a credential.' }) readonly removed: boolean;
  @ApiProperty({ description: 'Whether the provider has ended it too.' }) readonly endedAtProvider: boolean;
}
