import { isObject } from '../tool/json.js';
import type { ToolResult } from '../tool/tool-result.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import { toOutput } from '../tool/tool-source.js';
import type { DescribeOptions } from './described-tool.js';
import { metaTools, modelSearch } from './meta-tools.js';
import type { ActivateReply, GetReply, SearchReply } from './replies.js';
import type { SearchRequest } from './search-request.js';
import type { MetaTool } from './surface.js';
import type { ToolboxServices } from './toolbox-services.js';

/** What the meta tools do, for those who do not call them by name. */
interface Doors {
  search(request: SearchRequest): Promise<SearchReply>;
  get(names: readonly string[], options: DescribeOptions): Promise<GetReply>;
  activate(names: readonly string[]): Promise<ActivateReply>;
}

/** The meta tools of one toolbox, and calls of them by a model. */
export class MetaCalls {
  #tools: readonly MetaTool[] | undefined;

  constructor(
    private readonly services: ToolboxServices,
    private readonly doors: Doors,
  ) {}

  /** The meta tools; none where everything is always listed. */
  tools(): readonly MetaTool[] {
    const { search, activateOn, exposure } = this.services;
    if (exposure.configured === 'all') return [];
    this.#tools ??= metaTools({ ...search, withLoad: activateOn === 'load' });
    return this.#tools;
  }

  has(name: string): boolean {
    return this.tools().some((meta) => meta.name === name);
  }

  /** Calls one of {@link tools}. @throws ToolSearchError for faulty arguments, and as what the meta tool does */
  async call(name: string, input: unknown): Promise<ToolResult> {
    if (!isObject(input)) {
      throw new ToolSearchError('INVALID_ARGUMENTS', 'The arguments must be a JSON object.', {
        hint: `Follow the input schema of ${name}.`,
      });
    }
    return this.services.runner.answer(toOutput(await this.#reply(name, input)));
  }

  #reply(name: string, input: Record<string, unknown>): Promise<SearchReply | GetReply | ActivateReply> {
    if (name === 'tool_search') {
      return this.doors.search(modelSearch(input, this.tools(), this.services.search.types));
    }
    const names = input['names'] as string[];
    if (name !== 'tool_get') return this.doors.activate(names);
    return this.doors.get(names, {
      includeSchemas: input['includeSchemas'] !== false,
      includeExamples: input['includeExamples'] !== false,
    });
  }
}
