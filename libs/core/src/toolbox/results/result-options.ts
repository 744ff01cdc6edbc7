import { flag, list, object, type OptionsOf, part, rule, type SettingsOf, whole } from '../../options/options.js';
import { glob } from '../../tool/source/source-options.js';

const tokens = () => whole(500, 1_000_000);

const resultRule = object({
  /** The tools for which it holds. */
  tools: glob(),
  /** `false`: their results are never shortened. @default true */
  shorten: flag().default(true),
  /** @default `results.maxTokens` */
  maxTokens: tokens().optional(),
  /** @default `results.shapedTokens` */
  shapedTokens: tokens().optional(),
});

/** Other bounds for the results of some tools. */
export interface ResultRule extends OptionsOf<typeof resultRule> {}

export const resultOptions = object({
  /** Tokens of a result from which on it is shortened for a model, from 500. @default 4000 */
  maxTokens: tokens().default(4000),
  /** Tokens of a shortened result with its note, and of an answer of `tool_result`. @default 2000 */
  shapedTokens: tokens().default(2000),
  /** Milliseconds for which the whole result can be read on. @default 3600000 (1 h) */
  heldForMs: whole(1000, 604_800_000).default(3_600_000),
  /** Other bounds for some tools; the first rule that matches the canonical name is used. @default [] */
  perTool: list(part<ResultRule>(resultRule).unwrap()).default([]),
}).check(rule('shapedTokens', 'at most results.maxTokens', ({ maxTokens, shapedTokens }) => shapedTokens <= maxTokens));

/** Bounds of what models read of a tool's result. */
export interface ResultOptions extends OptionsOf<typeof resultOptions> {}

export const resultTuning = object({
  /** Held results of one principal (tenant, user and agent); the oldest one goes first. @default 20 */
  maxHeldPerPrincipal: whole(1, 1000).default(20),
  /** Bytes of the held results of one tenant; the oldest ones go first. @default 67108864 (64 MiB) */
  maxHeldBytes: whole(1_048_576, Number.MAX_SAFE_INTEGER).default(67_108_864),
});

export interface ResultTuning extends OptionsOf<typeof resultTuning> {}

export const resultSchema = object({ ...resultOptions.shape, ...resultTuning.shape });

export type ResultSettings = SettingsOf<typeof resultSchema>;
