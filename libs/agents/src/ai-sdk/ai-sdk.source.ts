import { parseOptions, type CodeTool } from '@tool-search/core/internal';
import type { ToolSet } from 'ai';
import { SdkToolsSource } from '../wire/sdk-tools.source.js';
import { type AiSdkSourceOptions, aiSdkSourceOptions } from './ai-sdk-source-options.js';
import { codeToolOf } from './ai-sdk-tool.js';

/**
 * The Vercel AI SDK tools that an application already has, as deferred tools of the catalog: found by search, subject
 * to the same policies as all others, and callable through every adapter. Tools that could not run here as they do
 * there are left out, with a reason in the source's status: provider tools, tools that a client runs, and tools that
 * ask for an approval.
 *
 * A tool gets its `context` from the option of that name, and no `messages`: a catalog does not know the conversation.
 */
export class AiSdkSource extends SdkToolsSource<ToolSet, AiSdkSourceOptions> {
  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  constructor(given: AiSdkSourceOptions) {
    super(given, (options) => parseOptions(aiSdkSourceOptions, options, 'AiSdkSource'));
  }

  protected override nameOf(key: string): string {
    return key;
  }

  protected override converted(
    name: string,
    tool: ToolSet[string],
    options: AiSdkSourceOptions,
  ): CodeTool | Promise<CodeTool> {
    return codeToolOf(name, tool, options);
  }
}
