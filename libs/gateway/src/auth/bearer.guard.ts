import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { GATEWAY_ROUTE } from '../tokens.js';
import { BearerCallers } from './bearer-callers.js';

interface Incoming {
  readonly headers: { readonly authorization?: string };
  readonly params: { readonly profile?: string };
  user?: object;
}

/**
 * Sets `request.user` by the request's bearer token, before the application's own guards of the endpoint. Passes every
 * request on where the module has neither `oauth` nor `tokens`.
 */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(@Inject(BearerCallers) private readonly callers: BearerCallers) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    if (!this.callers.areKnown) return true;
    const request = execution.switchToHttp().getRequest<Incoming>();
    const route = (Reflect.getMetadata(GATEWAY_ROUTE, execution.getHandler()) as string | undefined) ?? '';
    const { profile = '' } = request.params;
    request.user = await this.callers.callerOf(request.headers.authorization, route === 'p' ? `p/${profile}` : route);
    return true;
  }
}
