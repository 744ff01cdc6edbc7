import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { AuditTrail, type ToolContext, ToolSearchError, ToolSearchService } from '@tool-search/core';
import { actorOf } from '../request/operator.decorator.js';
import { ADMIN_THROTTLER_STORAGE } from './admin-throttler.guard.js';

const MINUTE_MS = 60_000;
const NOTES_PER_MINUTE = 60;

/**
 * Admits only contexts with `admin: true`. Attached to every route instead of the class, so that it runs after the
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
    const context = await this.service.forRequest(execution.switchToHttp().getRequest<object>()).context();
    if (context.admin === true) return true;
    await this.#note(context, execution.getHandler().name);
    throw new ToolSearchError('FORBIDDEN', 'Only operators may do this.', {
      hint: 'Nothing was done. Ask for the admin role if you need it.',
    });
  }

  // One note per actor and minute, and a limit in total: a refused caller must not be able to fill the audit trail.
  async #note(context: ToolContext, route: string): Promise<void> {
    const actor = actorOf(context);
    if (await this.#isOver(`refused ${actor}`, 1)) return;
    if (await this.#isOver('refused', NOTES_PER_MINUTE)) return;
    try {
      await this.trail.note({
        action: 'admin.refused',
        actor,
        subject: route,
        reason: 'not an operator',
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
