/** A range of consecutive tools of a segment whose scores are being summed. */
export interface ScoreWindow {
  /** Number of the first tool, and one more than the number of the last. */
  from: number;
  to: number;
  /** Score per tool of the window. */
  readonly scores: Float64Array;
  /** Per tool: the gain of the best sense so far of the current meaning. */
  readonly gains: Float64Array;
}

/** A bit per slot; `offset` is the slot of a segment's first tool. */
export interface SlotFilter {
  readonly bits: Uint32Array;
  readonly offset: number;
}

/** Some tools of a segment in ascending order, with their scores; the first `count` entries are in use. */
export interface ScoredTools {
  count: number;
  readonly tools: Uint32Array;
  readonly scores: Float64Array;
  readonly gains: Float64Array;
}
