import type { DescribeOptions } from '../search/described-tool.js';
import type { ActivateReply, GetReply, SearchReply } from './replies.js';
import type { DescriptionLine } from '../search/search-reply.js';
import type { SearchRequest } from '../search/search-request.js';
import type { MetaNames } from './meta-names.js';
import type { DeferringMode, MetaTool } from '../surface/surface.js';
import type { FinderOptions } from '../search/tool-finder.js';

/** What a meta tool is for, whatever it is called. */
export type MetaKind = 'search' | 'get' | 'load' | 'call';

/** What meta tools do, for those who do not call them by name. */
export interface ToolboxDoors {
  /** @param line what stands for a description; its first 160 characters, in one line, by default */
  search(request: SearchRequest, line?: DescriptionLine): Promise<SearchReply>;
  get(names: readonly string[], options?: DescribeOptions): Promise<GetReply>;
  activate(names: readonly string[]): Promise<ActivateReply>;
  /** Names of the deferred tools that may be loaded now, in the catalog's order. */
  loadable(): Promise<readonly string[]>;
}

/** A call of a tool that was wrapped in a call of a meta tool. */
export interface WrappedCall {
  readonly name: string;
  readonly input: unknown;
}

/** A meta tool in the words of one dialect: what the model is told, and how what it says is understood and answered. */
export type MetaToolSpec =
  | {
      readonly kind: Exclude<MetaKind, 'call'>;
      readonly tool: MetaTool;
      /** @throws ToolSearchError for faulty arguments, and as what it does */
      readonly answer: (input: Record<string, unknown>, doors: ToolboxDoors) => Promise<unknown>;
    }
  | {
      readonly kind: 'call';
      readonly tool: MetaTool;
      /** @throws ToolSearchError for faulty arguments */
      readonly unwrap: (input: Record<string, unknown>) => WrappedCall;
    };

/** What dialects need to know of the toolbox they speak for. */
export interface MetaSettings extends Required<Pick<FinderOptions, 'types' | 'limit' | 'maxLimit'>> {
  /** Tools are activated by loading them. */
  readonly withLoad: boolean;
  /** What is found is activated at once. */
  readonly withAutoLoad: boolean;
  /** What meta tools are called. */
  readonly names: MetaNames;
}

/** The meta tools of one way of talking, in the order in which they are listed. */
export interface MetaDialect {
  specs(mode: DeferringMode): readonly MetaToolSpec[];
}
