import {
  applyDecorators,
  type CanActivate,
  Controller,
  type DynamicModule,
  Module,
  type ModuleMetadata,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { ToolSearchError } from '@tool-search/core';
import { UserConnectionsController } from './user-connections.controller.js';

/** Where users connect their accounts. */
export interface UserConnectionsOptions {
  /** Path of the routes, the one of `userCredentials.connectUrl`. */
  readonly path: string;
  /** Guards that authenticate users in a browser; `[]` only if global guards do. */
  readonly guards: readonly (Type<CanActivate> | CanActivate)[];
  /** Modules of the guards. @default [] */
  readonly imports?: ModuleMetadata['imports'];
  /** Decorators of the controller, for example a version. @default [] */
  readonly decorators?: readonly ClassDecorator[];
}

/**
 * The pages on which users connect their accounts for sources with `auth: 'user'`.
 *
 * ```ts
 * UserConnectionsModule.forRoot({ path: 'connect', guards: [SessionGuard], imports: [AuthModule] })
 * ```
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` without `path` or `guards`
 */
@Module({})
export class UserConnectionsModule {
  static forRoot({ path, guards, imports = [], decorators = [] }: UserConnectionsOptions): DynamicModule {
    if (typeof path !== 'string' || path === '' || !Array.isArray(guards)) {
      throw new ToolSearchError('INVALID_CONFIGURATION', 'UserConnectionsModule.forRoot() needs path and guards.', {
        hint: 'Name the guards that authenticate users in a browser. Set [] only if global guards do.',
      });
    }
    class ConnectionsController extends UserConnectionsController {}
    applyDecorators(Controller(path), UseGuards(...guards), ...decorators)(ConnectionsController);
    return { module: UserConnectionsModule, imports, controllers: [ConnectionsController] };
  }
}
