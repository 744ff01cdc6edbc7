import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { ToolSearchModuleOptions } from './tool-search.options.js';

export const CHECKED_OPTIONS = Symbol('CHECKED_OPTIONS');

export interface ToolSearchModuleExtras {
  /** Makes the providers available in every module without importing it again. @default true */
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
