import type { DescribeOptions } from '../search/described-tool.js';
import type { ActivateReply, GetReply, SearchReply } from './replies.js';
import type { DescriptionLine } from '../search/search-reply.js';
import type { SearchRequest } from '../search/search-request.js';
import type { MetaNames } from './meta-names.js';
import type { DeferringMode, MetaTool } from '../surface/surface.js';
import type { FinderOptions } from '../search/tool-finder.js';

/** The purpose of a meta tool, independent of its name. */
export type MetaKind = 'search' | 'get' | 'load' | 'call';

export interface ToolboxActions {
  /** @param line shortens a description; by default to its first 160 characters in one line */
  search(request: SearchRequest, line?: DescriptionLine): Promise<SearchReply>;
  get(names: readonly string[], options?: DescribeOptions): Promise<GetReply>;
  activate(names: readonly string[]): Promise<ActivateReply>;
  /** Names of the deferred tools that may be loaded now, in catalog order. */
  loadable(): Promise<readonly string[]>;
}

/** A tool call that was wrapped in a call of a meta tool. */
export interface WrappedCall {
  readonly name: string;
  readonly input: unknown;
}

/** A meta tool of one dialect: its definition, and how its input is parsed and answered. */
export type MetaToolSpec =
  | {
      readonly kind: Exclude<MetaKind, 'call'>;
      readonly tool: MetaTool;
      /** @throws ToolSearchError for invalid arguments, and the errors of the operation */
      readonly answer: (input: Record<string, unknown>, doors: ToolboxActions) => Promise<unknown>;
    }
  | {
      readonly kind: 'call';
      readonly tool: MetaTool;
      /** @throws ToolSearchError for invalid arguments */
      readonly unwrap: (input: Record<string, unknown>) => WrappedCall;
    };

export interface MetaSettings extends Required<Pick<FinderOptions, 'types' | 'limit' | 'maxLimit'>> {
  /** Whether models activate tools by loading them. */
  readonly withLoad: boolean;
  /** Whether search hits are activated immediately. */
  readonly withAutoLoad: boolean;
  readonly names: MetaNames;
}

/** The meta tools of one dialect, in listing order. */
export interface MetaDialect {
  specs(mode: DeferringMode): readonly MetaToolSpec[];
}
