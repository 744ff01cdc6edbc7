import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { QueryOrigin } from './known-queries.js';
import type { WritingState } from './writing/writing-pace.js';

/** The example queries of one tool, for operators. */
export interface ToolQueries {
  /** Identifies this definition of the tool. */
  readonly id: string;
  readonly tool: ToolDefinition;
  /** The author's own. */
  readonly own: readonly string[];
  /** Those beside the author's, in the order in which they are searched. */
  readonly added: readonly string[];
  /** Where `added` come from; `none` if there are none. */
  readonly origin: QueryOrigin;
  /** Whether a writer will be asked, and what became of it. */
  readonly writing: 'written' | 'pending' | 'given_up' | 'not_wanted';
  /** The id of the writer, if it wrote for this definition. */
  readonly writer?: string;
  /** The control revision of an operator's change; 0 without one. */
  readonly revision: number;
}

/** How far writing is. */
export interface WritingStatus {
  /** `off`: there is no writer. */
  readonly state: WritingState | 'off';
  readonly writer?: string;
  /** Tools for which a writer is asked. */
  readonly wanted: number;
  readonly written: number;
  readonly pending: number;
  /** Tools for which nothing that can be used was written, a few times. */
  readonly givenUp: number;
  /** Why the writer failed last, until it answers again. */
  readonly reason?: string;
}

/** Costs of writing so far, and the most that it may cost. */
export interface WritingSpend {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the prices. */
  readonly money: number;
  readonly limits: { readonly tokens: number; readonly money?: number };
}
