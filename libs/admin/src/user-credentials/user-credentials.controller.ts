import { Delete, Get, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { UserCredentials } from '@tool-search/core/operators';
import { credentialId } from '@tool-search/core/stores';
import { AdminController, AdminRead, AdminWrite } from '../access/admin-route.decorator.js';
import { TenantIn } from '../access/tenant-in.decorator.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, isText, type Page, PageOf, type PageRequest, readPage } from '../request/page.js';
import { AdminQuery, type Checked } from '../request/request-part.decorator.js';
import {
  CredentialRevoked,
  RevokeCredentialQuery,
  UserCredentialAnswer,
  UserCredentialQuery,
} from './user-credentials.dto.js';

const CURSOR = new Cursor('user-credentials', isText);

/** Routes for the accounts that users have connected. No route shows a token. */
@AdminController()
export class UserCredentialsController {
  constructor(@Inject(UserCredentials) protected readonly credentials: UserCredentials) {}

  @Get('user-credentials')
  @TenantIn('query.tenantId')
  @AdminRead('List whose accounts are connected to which sources', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(UserCredentialAnswer) })
  listUserCredentials(
    @AdminQuery(UserCredentialQuery) { limit, cursor, ...filter }: Checked<UserCredentialQuery>,
  ): Promise<Page<UserCredentialAnswer>> {
    const read = (page: PageRequest<string>) => this.credentials.list(filter, page);
    return readPage({ limit, cursor }, CURSOR, credentialId, read);
  }

  @Delete('user-credentials')
  @TenantIn('query.tenantId')
  @AdminWrite('Remove the account of one user for one source, and end it at the provider')
  @ApiOkResponse({ type: CredentialRevoked })
  revokeUserCredential(
    @AdminQuery(RevokeCredentialQuery) { reason, owner = '', ...key }: Checked<RevokeCredentialQuery>,
    @Operator() { actor }: OperatorIdentity,
  ): Promise<CredentialRevoked> {
    return this.credentials.revoke({ ...key, owner }, { actor, reason });
  }
}
