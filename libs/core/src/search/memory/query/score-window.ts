/** Neighbouring tools of a segment whose scores are being added up. */
export interface ScoreWindow {
  /** The number of the first tool, and one more than that of the last. */
  from: number;
  to: number;
  /** Per tool of the window. */
  readonly scores: Float64Array;
  /** Per tool: what the best sense so far of the meaning at hand has given. */
  readonly gains: Float64Array;
}

/** Bits over slots; the slot of a segment's first tool is `offset`. */
export interface SlotFilter {
  readonly bits: Uint32Array;
  readonly offset: number;
}

/** Some tools of a segment by rising number, with their scores; the first `count` places are in use. */
export interface ScoredTools {
  count: number;
  readonly tools: Uint32Array;
  readonly scores: Float64Array;
  readonly gains: Float64Array;
}
