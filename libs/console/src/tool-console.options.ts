import { described, object, type OptionsOf } from '@tool-search/core/internal';
import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import { z } from 'zod';

// Not a URL of another origin: the content security policy of the page would refuse it.
const ownUrl = () =>
  described(
    z
      .string()
      .max(500)
      .regex(/^(\.{1,2}\/|\/(?!\/))[\w.~!$&'()*+,;=:@%/-]*$/),
    'a path on the same origin that begins with ../, ./ or /',
  );

/** The schema of {@link ToolConsoleOptions}, for applications that read them from elsewhere. */
export const consoleOptions = object({
  /** URL of the routes of `ToolAdminModule`, relative to the page (whose URL ends with a slash). @default '../admin/tools' */
  api: ownUrl().default('../admin/tools'),
  /** URL of the gateway, relative to the page, for the screen that connects clients. @default none */
  gateway: ownUrl().optional(),
  /**
   * URL where the application signs operators in with a cookie, relative to the page. The page links to it, and asks for no
   * bearer token. @default none
   */
  signIn: ownUrl().optional(),
});

/** Settings of the console and its page. */
export interface ToolConsoleOptions extends OptionsOf<typeof consoleOptions> {}

/** The routes that `ToolConsoleModule` registers. Without a `path` it registers none: extend its controller instead. */
export interface ToolConsoleRoutes {
  /** Path of the page, for example `console`. */
  readonly path?: string;
  /**
   * Guards of the page itself, for example of the application's own session. The page has no data, so it may be public:
   * then it asks for a bearer token. @default none
   */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Modules that export what the guards inject. */
  readonly imports?: ModuleMetadata['imports'];
  /** Decorators for the controller, for example one that exempts it from global guards. */
  readonly decorators?: readonly ClassDecorator[];
}
