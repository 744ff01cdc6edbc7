import { type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { ToolSearchError, ToolSearchService } from '@tool-search/core';
import type { ToolAdminOptions } from '../tool-admin.options.js';
import { actorOf } from '../request/operator.decorator.js';

/** Injection token of the limits. Separate from the throttler's own token, which belongs to the application. */
export const ADMIN_LIMITS = Symbol('ADMIN_LIMITS');

export const ADMIN_THROTTLER_STORAGE = Symbol('ADMIN_THROTTLER_STORAGE');

type RouteKind = 'read' | 'write';

const ROUTE_KIND = Symbol('ROUTE_KIND');

export const RouteIs = (kind: RouteKind) => SetMetadata(ROUTE_KIND, kind);

export function routeKind(handler: object): RouteKind | undefined {
  return Reflect.getMetadata(ROUTE_KIND, handler) as RouteKind | undefined;
}

// A separate key, so that @Throttle() and @SkipThrottle() affect only the application's throttlers.
const THROTTLER = 'tool-admin';

/** Limits the requests of each operator within a sliding minute, separately for writes and reads. */
@Injectable()
export class AdminThrottlerGuard extends ThrottlerGuard {
  constructor(
    @Inject(ADMIN_LIMITS) limits: Required<ToolAdminOptions>,
    @Inject(ADMIN_THROTTLER_STORAGE) storage: ThrottlerStorage,
    @Inject(Reflector) reflector: Reflector,
    @Inject(ToolSearchService) private readonly service: ToolSearchService,
  ) {
    super(
      oneThrottler(limits, (execution) => routeKind(execution.getHandler())),
      storage,
      reflector,
    );
  }

  protected override async getTracker(request: object): Promise<string> {
    return actorOf(await this.service.forRequest(request).context());
  }

  protected override throwThrottlingException(
    execution: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    this.setResponseHeader(execution.switchToHttp().getResponse(), 'Retry-After', timeToBlockExpire);
    throw new ToolSearchError('RATE_LIMITED', 'This operator has asked too often within a minute.', {
      hint: `Nothing was done. Try again in ${timeToBlockExpire} seconds.`,
    });
  }
}

function oneThrottler(
  { writesPerMinute, readsPerMinute }: Required<ToolAdminOptions>,
  kindOf: (execution: ExecutionContext) => RouteKind | undefined,
): ThrottlerModuleOptions {
  return [
    {
      name: THROTTLER,
      ttl: 60_000,
      limit: (execution) => (kindOf(execution) === 'read' ? readsPerMinute : writesPerMinute),
      // 0: no extra block. A request is allowed again as soon as the oldest counted request is one minute old.
      blockDuration: 0,
      generateKey: (execution, actor) => `${kindOf(execution)} ${actor}`,
      setHeaders: false,
    },
  ];
}
