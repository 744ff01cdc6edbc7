import type { Lexicon } from '../index/lexicon.js';
import type { Segment } from '../index/segment.js';

/** A segment with everything needed to continue from it in another process. */
export interface StoredSegment {
  readonly segment: Segment;
  /** Contains at least the terms of the segment. */
  readonly lexicon: Lexicon;
  /** Per tool: the hash of its definition. */
  readonly hashes: readonly string[];
}
