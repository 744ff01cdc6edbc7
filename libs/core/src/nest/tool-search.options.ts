import type { Type } from '@nestjs/common';
import type { ToolPolicy } from '../access/tool-policy.js';
import type { ToolboxOptions } from '../exposure/assemble-toolbox-services.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolSource } from '../tool/tool-source.js';

/** A source as a value, or a provider of the application that implements it. */
export type SourceOption = ToolSource | Type<ToolSource>;

/** Options of `ToolSearchModule.forRoot`. */
export interface ToolSearchModuleOptions extends ToolboxOptions {
  /**
   * Who is asking, from the request and after its guards have run. Throwing means: nobody, so the request sees no tool
   * and is answered with 401.
   */
  // Applications type their own request; `any` keeps `(request: Request) => …` legal.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly context: (request: any) => ToolContext | Promise<ToolContext>;
  /** Where tools come from besides `@Tool()` methods. @default [] */
  readonly sources?: readonly SourceOption[];
  /** Hard limits for everybody. @default none */
  readonly policy?: ToolPolicy;
}
