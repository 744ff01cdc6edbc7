import { list, object, type OptionsOf, record, text, whole } from '@tool-search/core/internal';
import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';

/** The schema of {@link ToolAdminOptions}, for applications that read them from elsewhere. */
export const adminOptions = object({
  /** Requests per minute that change something. @default 60 */
  writesPerMinute: whole(1, Number.MAX_SAFE_INTEGER).default(60),
  /** Read-only requests per minute. @default 600 */
  readsPerMinute: whole(1, Number.MAX_SAFE_INTEGER).default(600),
  /**
   * Fields of a context beside its ids and the values that they can have, for forms in which operators say who is asking:
   * `{ roles: ['finance', 'support'], plan: ['starter', 'business'] }`. A caller has several `roles`, and one value of
   * every other field. All operators see them. @default none
   */
  callerFields: record(list(text(200))).default({}),
});

/** Request limits per operator, and what a caller can be. */
export interface ToolAdminOptions extends OptionsOf<typeof adminOptions> {}

/** The routes that `ToolAdminModule` registers. Without a `path` it registers none: extend its controllers instead. */
export interface ToolAdminRoutes {
  /** Path of all routes, for example `admin/tools`. */
  readonly path?: string;
  /**
   * Guards that authenticate the caller; required with a `path`. They run before the check for `admin: true`. An empty
   * list leaves authentication to global guards.
   */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Modules that export what the guards inject. */
  readonly imports?: ModuleMetadata['imports'];
  /** Decorators for each controller, for example `ApiBearerAuth()`. */
  readonly decorators?: readonly ClassDecorator[];
  /** The controllers to register; classes that extend one of them are allowed. @default adminControllers */
  readonly controllers?: readonly Type[];
}
