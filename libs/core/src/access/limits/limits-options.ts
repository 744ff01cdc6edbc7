import { z } from 'zod';
import { described, func, object, type OptionsOf, part, record, whole } from '../../options/options.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolResult } from '../../tool/tool-result.js';
import { type GivenLimit, limitOptions } from './limit.js';

const costOptions = object({
  /** The most that one call of the tool may cost, in whole units: reserved before it runs. */
  bound: func<(tool: ToolDefinition) => number>(),
  /**
   * Returns the cost of a call in whole units, from 0; a fraction is rounded up. If it throws or returns another value, also a
   * negative one such as -0.5, the bound is charged and the fault is logged.
   */
  of: func<(tool: ToolDefinition, result: ToolResult) => number>(),
});

/** A unit of cost that the application sets, for example cents. */
export interface CostOptions extends OptionsOf<typeof costOptions> {}

/** The options `limits` of the module, without those of `tuning`. */
export const limitsOptions = object({
  /** Limits in code, at most 100. Operators' limits apply in addition and never widen them. @default [] */
  rules: described(z.array(part<GivenLimit>(limitOptions).unwrap()).max(100), 'a list of at most 100 limits')
    .readonly()
    .default([]),
  /** Units of cost for budgets, by name. @default none */
  cost: record(part<CostOptions>(costOptions).unwrap(), unitName()).default({}),
});

/** How much may be called: limits in code, and how limits are counted. */
export interface LimitsOptions extends OptionsOf<typeof limitsOptions> {}

export const limitsTuning = object({
  /**
   * Tokens that a budget of tokens reserves for one result, until the result is counted.
   *
   * @default the tool's `results.maxTokens`; 4000 if its results are not shortened
   */
  resultTokens: whole(1, 100_000_000).optional(),
  /**
   * How many suggestions for arguments of prompts and variables of resource templates each user may ask for in a minute, on
   * one process. A key press is not a call: it counts here, and in no other limit. @default 300
   */
  completionsPerMinute: whole(1, 1_000_000).default(300),
  /** Milliseconds that the store of the counters may take. @default 1000 */
  storeTimeoutMs: whole(10, 60_000).default(1000),
  /** Milliseconds after a tool's timeout until a running call that never ended is free again. @default 10000 */
  leaseSlackMs: whole(0, 3_600_000).default(10_000),
});

export interface LimitsTuning extends OptionsOf<typeof limitsTuning> {}

export const limitsSchema = object({ ...limitsOptions.shape, ...limitsTuning.shape });

function unitName() {
  const reserved = new Set(['calls', 'tokens', 'running']);
  return described(
    z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/)
      .refine((name) => !reserved.has(name)),
    'a name of 1 to 64 letters, digits, "_", "-" and ".", and none of calls, tokens and running',
  );
}
