import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { AuditTrail, type ToolContext, ToolSearchError, ToolSearchService } from '@tool-search/core';
import { actorOf } from '../request/operator.decorator.js';
import { ADMIN_THROTTLER_STORAGE, routeKind } from './admin-throttler.guard.js';
import { type OperatorAccess, operatorAccess } from './operator-access.js';
import { namesOnly, tenantPlaces } from './tenant-in.decorator.js';

const MINUTE_MS = 60_000;
const NOTES_PER_MINUTE = 60;
const NOTES_OF_TENANT_PER_MINUTE = 20;

interface Refused {
  readonly reason: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * Admits operators: those with `admin: true` to every route; others as far as their tenants, and whether they only
 * read, allow. Attached to every route instead of the class, so that it runs after the
 * guards of the application's class, which authenticate the caller.
 */
@Injectable()
export class AdminGuard implements CanActivate {
  readonly #logger = new Logger('ToolSearchAdmin');

  constructor(
    @Inject(ToolSearchService) private readonly service: ToolSearchService,
    @Inject(AuditTrail) private readonly trail: AuditTrail,
    @Inject(ADMIN_THROTTLER_STORAGE) private readonly storage: ThrottlerStorage,
  ) {}

  /** @throws ToolSearchError `UNAUTHENTICATED`, `FORBIDDEN` */
  async canActivate(execution: ExecutionContext): Promise<boolean> {
    if (execution.getType() !== 'http') return false;
    const request = execution.switchToHttp().getRequest<object>();
    const context = await this.service.forRequest(request).context();
    const refused = refusal(operatorAccess(context), request, execution.getHandler());
    if (!refused) return true;
    await this.#note(context, execution.getHandler().name, refused.reason);
    throw new ToolSearchError('FORBIDDEN', refused.message, { hint: refused.hint });
  }

  // One note per actor and minute, a limit for each tenant and one in total: refused callers must not be able to fill the audit
  // trail, nor to keep those of another tenant out of it.
  async #note(context: ToolContext, route: string, reason: string): Promise<void> {
    const actor = actorOf(context);
    if (await this.#isOver(`refused ${actor}`, 1)) return;
    if (await this.#isOver(`refused of ${context.tenantId}`, NOTES_OF_TENANT_PER_MINUTE)) return;
    if (await this.#isOver('refused', NOTES_PER_MINUTE)) return;
    try {
      await this.trail.note({
        action: 'admin.refused',
        actor,
        subject: route,
        reason,
        tenantId: context.tenantId,
      });
    } catch (error) {
      // The response is the same if the audit trail cannot be written.
      this.#logger.warn(`${actor} was refused ${route}, which could not be noted`, error);
    }
  }

  async #isOver(key: string, limit: number): Promise<boolean> {
    return (await this.storage.increment(key, MINUTE_MS, limit, 0, key)).isBlocked;
  }
}

function refusal(access: OperatorAccess | undefined, request: object, route: object): Refused | undefined {
  if (!access) {
    return {
      reason: 'not an operator',
      message: 'Only operators may do this.',
      hint: 'Nothing was done. Ask for the admin role if you need it.',
    };
  }
  const { tenants, readOnly } = access;
  if (readOnly && routeKind(route) !== 'read') {
    return {
      reason: 'may only read',
      message: 'This operator may look at everything here, and change nothing.',
      hint: 'Nothing was done. Ask an operator who may decide.',
    };
  }
  if (tenants === 'all') return undefined;
  const places = tenantPlaces(route);
  if (!places) {
    return {
      reason: 'operator of some tenants',
      message: 'Only operators of all tenants may do this.',
      hint: 'Nothing was done. Ask one of them.',
    };
  }
  if (namesOnly(tenants, request, places)) return undefined;
  return {
    reason: 'names no tenant of this operator',
    message: 'This operator may act only for some tenants, and the request must name one of them.',
    hint: `Nothing was done. Send one of your tenants as ${places.join(' and ')}.`,
  };
}
