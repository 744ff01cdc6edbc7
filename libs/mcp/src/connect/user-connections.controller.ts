import {
  applyDecorators,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  Header,
  Inject,
  Param,
  Query,
  Redirect,
} from '@nestjs/common';
import { type ToolContext, ToolSearchError, ToolSearchService } from '@tool-search/core';
import { UserCredentials } from '@tool-search/core/operators';
import type { CredentialRevocation } from '@tool-search/core/internal';

const Execution = createParamDecorator((_: unknown, execution: ExecutionContext) => execution);
const MAX_CHARS = 8192;
const CallbackHeaders = () =>
  applyDecorators(
    Header('Cache-Control', 'no-store'),
    Header('Content-Type', 'text/plain; charset=utf-8'),
    // The address has the code, which no other site may learn.
    Header('Referrer-Policy', 'no-referrer'),
  );

/** Parameters that a provider adds to the redirect. Anybody can send them: every value may be missing, or a list. */
interface Callback {
  readonly state?: unknown;
  readonly code?: unknown;
  readonly iss?: unknown;
}

/**
 * Where users connect their accounts: pages that a browser opens, so they need a sign-in by cookie. The user is the one
 * of the request's context. `UserConnectionsModule` registers it under `path`; or extend it for a path or guards of
 * your own.
 */
export abstract class UserConnectionsController {
  @Inject(UserCredentials) private readonly credentials!: UserCredentials;
  @Inject(ToolSearchService) private readonly service!: ToolSearchService;

  /** Sends the browser to the provider of a shared source. */
  @Get('to/:source')
  @Redirect()
  @Header('Cache-Control', 'no-store')
  async connect(@Execution() execution: ExecutionContext, @Param('source') source: string) {
    return { url: await this.credentials.begin(await this.#user(execution), source, false), statusCode: 302 };
  }

  /** Sends the browser to the provider of a source of the user's own tenant. */
  @Get('own/:source')
  @Redirect()
  @Header('Cache-Control', 'no-store')
  async connectOwn(@Execution() execution: ExecutionContext, @Param('source') source: string) {
    return { url: await this.credentials.begin(await this.#user(execution), source, true), statusCode: 302 };
  }

  /** Where the provider of a shared source sends the browser back to. */
  @Get('callback/to/:source')
  @CallbackHeaders()
  callback(
    @Execution() execution: ExecutionContext,
    @Param('source') source: string,
    @Query() query: Callback,
  ): Promise<string> {
    return this.#connected(execution, { source, owner: '' }, query);
  }

  /** Where the provider of a tenant's own source sends the browser back to. */
  @Get('callback/own/:owner/:source')
  @CallbackHeaders()
  callbackOwn(
    @Execution() execution: ExecutionContext,
    @Param('owner') owner: string,
    @Param('source') source: string,
    @Query() query: Callback,
  ): Promise<string> {
    return this.#connected(execution, { source, owner }, query);
  }

  /** Ends the user's own connection to a shared source. */
  @Delete('to/:source')
  disconnect(@Execution() execution: ExecutionContext, @Param('source') source: string): Promise<CredentialRevocation> {
    return this.#disconnected(execution, source, false);
  }

  /** Ends the user's own connection to a source of the user's own tenant. */
  @Delete('own/:source')
  disconnectOwn(
    @Execution() execution: ExecutionContext,
    @Param('source') source: string,
  ): Promise<CredentialRevocation> {
    return this.#disconnected(execution, source, true);
  }

  async #connected(
    execution: ExecutionContext,
    returned: { readonly source: string; readonly owner: string },
    query: Callback,
  ): Promise<string> {
    const [state = '', code, iss] = [query.state, query.code, query.iss].map(textOf);
    const answer = code === undefined ? undefined : { code, ...(iss !== undefined && { iss }) };
    const source = await this.credentials.finish(await this.#user(execution), returned, state, answer);
    return `Your account for ${source} is connected. You can close this page.`;
  }

  async #disconnected(execution: ExecutionContext, source: string, isOwned: boolean): Promise<CredentialRevocation> {
    const { tenantId, userId } = await this.#user(execution);
    if (userId === undefined) {
      throw new ToolSearchError('FORBIDDEN', 'Only a user has accounts, and this request names none.');
    }
    const key = { tenantId, userId, source, owner: isOwned ? tenantId : '' };
    return this.credentials.revoke(key, { actor: `${userId}@${tenantId}`, reason: 'disconnected by its user' });
  }

  #user(execution: ExecutionContext): Promise<ToolContext> {
    return this.service.forExecution(execution).context();
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_CHARS ? value : undefined;
}
