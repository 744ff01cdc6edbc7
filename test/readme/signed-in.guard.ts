// #region guard
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

/** Stands for your own authentication: a middleware has put the user into the request. */
@Injectable()
export class SignedIn implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    return execution.switchToHttp().getRequest<{ user?: unknown }>().user !== undefined;
  }
}
// #endregion guard
