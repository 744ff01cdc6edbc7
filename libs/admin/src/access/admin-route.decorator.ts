import { applyDecorators, Controller, HttpCode, SetMetadata, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExtension, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ToolSearchErrorCode } from '@tool-search/core';
import { ApiProblems } from '../api-problems.decorator.js';
import { AdminGuard } from './admin.guard.js';
import { AdminThrottlerGuard, RouteIs } from './admin-throttler.guard.js';
import { ControlRevisionInterceptor } from './control-revision.interceptor.js';

export const ADMIN_CONTROLLER = Symbol('ADMIN_CONTROLLER');

/**
 * Like Nest's `@Controller(path)`, for routes of operators. The application does not boot if one of its routes, or of
 * a class that extends it, has none of `@AdminRead`, `@AdminWrite` and `@AdminDecision`.
 */
export function AdminController(path = ''): ClassDecorator {
  return applyDecorators(Controller(path), ApiTags('tool admin'), SetMetadata(ADMIN_CONTROLLER, true));
}

/** Marks a read-only route: guarded (operators only), throttled and documented. */
export function AdminRead(summary: string, ...problems: readonly ToolSearchErrorCode[]): MethodDecorator {
  return applyDecorators(
    RouteIs('read'),
    UseGuards(AdminGuard, AdminThrottlerGuard),
    HttpCode(200),
    ApiOperation({ summary }),
    // Excludes operator routes where an application exposes its own routes as tools.
    ApiExtension('x-tool-search', false),
    ApiProblems('UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED', 'INVALID_REQUEST', ...problems),
  );
}

/**
 * Marks a route that changes something: guarded (operators only), throttled and documented. Responds 200 with the
 * header `X-Control-Revision`.
 */
export function AdminWrite(summary: string, ...problems: readonly ToolSearchErrorCode[]): MethodDecorator {
  return applyDecorators(
    AdminRead(summary, 'ARGUMENTS_TOO_LARGE', 'STORE_UNAVAILABLE', ...problems),
    RouteIs('write'),
    UseInterceptors(ControlRevisionInterceptor),
  );
}

/** Marks a route that writes a decision: like {@link AdminWrite}, and idempotent for a repeated `Idempotency-Key`. */
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
