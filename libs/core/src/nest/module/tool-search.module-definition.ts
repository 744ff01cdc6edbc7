import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { ToolSearchModuleOptions } from './tool-search.options.js';

/** Injection token of the search engine; null where everything is listed. */
export const TOOL_INDEX = Symbol('TOOL_INDEX');

/** Injection token of the module's options after they have been checked. */
export const CHECKED_OPTIONS = Symbol('CHECKED_OPTIONS');

/** What only the module's registration needs. */
export interface ToolSearchModuleExtras {
  /** Make the injectables available everywhere without importing the module again. @default true */
  readonly isGlobal?: boolean;
}

export const {
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN: TOOL_SEARCH_OPTIONS,
  OPTIONS_TYPE,
  ASYNC_OPTIONS_TYPE,
} = new ConfigurableModuleBuilder<ToolSearchModuleOptions>({ moduleName: 'ToolSearch' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createToolSearchOptions')
  .setExtras<ToolSearchModuleExtras>({ isGlobal: true }, (definition, { isGlobal }) => ({
    ...definition,
    global: isGlobal ?? true,
  }))
  .build();
