import { applyDecorators, HttpCode, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExtension, ApiHeader, ApiOperation } from '@nestjs/swagger';
import type { ToolSearchErrorCode } from '@tool-search/core';
import { ApiProblems } from '../api-problems.decorator.js';
import { AdminGuard } from './admin.guard.js';
import { AdminThrottlerGuard, RouteIs } from './admin-throttler.guard.js';
import { ControlRevisionInterceptor } from './control-revision.interceptor.js';

/** A route that only looks: for operators alone, throttled and documented. */
export function AdminRead(summary: string, ...problems: readonly ToolSearchErrorCode[]): MethodDecorator {
  return applyDecorators(
    RouteIs('read'),
    UseGuards(AdminGuard, AdminThrottlerGuard),
    HttpCode(200),
    ApiOperation({ summary }),
    // Where an application makes its own routes tools, those of operators are none.
    ApiExtension('x-tool-search', false),
    ApiProblems('UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED', 'INVALID_REQUEST', ...problems),
  );
}

/** A route that changes something: for operators alone, throttled and documented; it answers 200 with `X-Control-Revision`. */
export function AdminWrite(summary: string, ...problems: readonly ToolSearchErrorCode[]): MethodDecorator {
  return applyDecorators(
    AdminRead(summary, 'ARGUMENTS_TOO_LARGE', 'STORE_UNAVAILABLE', ...problems),
    RouteIs('write'),
    UseInterceptors(ControlRevisionInterceptor),
  );
}

/** A route that writes a decision: as {@link AdminWrite}, and answered alike when it is repeated with the same key. */
export function AdminDecision(summary: string, ...problems: readonly ToolSearchErrorCode[]): MethodDecorator {
  return applyDecorators(
    AdminWrite(summary, ...problems),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'A repeated request with the same key changes nothing and is answered like the first.',
      schema: { type: 'string', maxLength: 200 },
    }),
  );
}
