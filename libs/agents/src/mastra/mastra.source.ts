import { parseOptions, type CodeTool } from '@tool-search/core/internal';
import { SdkToolsSource } from '../wire/sdk-tools.source.js';
import { type MastraSourceOptions, mastraSourceOptions } from './mastra-source-options.js';
import { codeToolOf, nameOf } from './mastra-tool.js';
import type { MastraTools } from './mastra-types.js';

/**
 * The Mastra tools that an application already has, as deferred tools of the catalog: found by search, subject to the
 * same policies as all others, and callable through every adapter. A tool's name is its `id`, as in Mastra's
 * `ToolSearchProcessor`. Tools that could not run here as they do there are left out, with a reason in the source's
 * status: provider tools, tools that a client runs, tools that suspend their run, and tools that ask for an approval.
 *
 * A tool gets its `requestContext` and `mastra` from the options of that name, and no `agent`, `memory` or `workspace`:
 * a catalog does not know the conversation.
 */
export class MastraSource extends SdkToolsSource<MastraTools, MastraSourceOptions> {
  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  constructor(given: MastraSourceOptions) {
    super(given, (options) => parseOptions(mastraSourceOptions, options, 'MastraSource'));
  }

  protected override nameOf(key: string, tool: MastraTools[string]): string {
    return nameOf(key, tool);
  }

  protected override converted(
    name: string,
    tool: MastraTools[string],
    options: MastraSourceOptions,
  ): CodeTool | Promise<CodeTool> {
    return codeToolOf(name, tool, options);
  }
}
