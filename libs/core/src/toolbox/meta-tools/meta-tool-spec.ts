import type { JsonObject } from '../../json/json.js';
import type { MetaKind, MetaNames } from '../../tool/meta-names.js';
import type { BoundedReply } from '../results/definitions/bounded-definitions.js';
import type { ReadOptions } from '../search/described-tool.js';
import type { ActivateReply, SearchReply } from './replies.js';
import type { DescriptionLine } from '../search/search-reply.js';
import type { SearchRequest } from '../search/search-request.js';
import type { DeferringMode, MetaTool } from '../surface/surface.js';
import type { FinderOptions } from '../search/tool-finder.js';

export interface ToolboxActions {
  /** @param line shortens a description; by default to its first 160 characters in one line */
  search(request: SearchRequest, line?: DescriptionLine): Promise<SearchReply>;
  /** Definitions within `results.maxTokens` tokens, larger ones summarized unless `options.full` is set. */
  get(names: readonly string[], options?: ReadOptions): Promise<BoundedReply>;
  activate(names: readonly string[]): Promise<ActivateReply>;
  /** Names of the deferred tools that may be loaded now, in catalog order. */
  loadable(): Promise<readonly string[]>;
  /** A part of a held result, as a model reads it. @param input the arguments of `tool_result` */
  read(input: Record<string, unknown>): Promise<string>;
}

/** A tool call that was wrapped in a call of a meta tool. */
export interface WrappedCall {
  readonly name: string;
  readonly input: unknown;
}

/** A meta tool of one dialect: its definition, and how its input is parsed and answered. */
export type MetaToolSpec =
  | AnsweringSpec
  | {
      readonly kind: 'call';
      readonly tool: MetaTool;
      /** @throws ToolSearchError for invalid arguments */
      readonly unwrap: (input: Record<string, unknown>) => WrappedCall;
      /** The arguments that `unwrap` turns into this call. */
      readonly wrap: (name: string, input: JsonObject) => JsonObject;
    };

/** A meta tool that answers by itself. */
export interface AnsweringSpec {
  readonly kind: Exclude<MetaKind, 'call'>;
  readonly tool: MetaTool;
  /** The definition for tools that are described in this language. @default `tool` */
  readonly inLanguage?: (name: string) => MetaTool;
  /** @throws ToolSearchError for invalid arguments, and the errors of the operation */
  readonly answer: (input: Record<string, unknown>, doors: ToolboxActions) => Promise<unknown>;
}

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
