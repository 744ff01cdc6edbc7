import type { JsonValue } from '../json/json.js';

/** One difference between the definition that was accepted and the one that the source sends now. */
export interface DefinitionChange {
  /** JSON pointer into the tool's origin. */
  readonly path: string;
  /** The accepted value; absent for an addition. A long text is cut to the part around the first difference. */
  readonly before?: JsonValue;
  /** The current value; absent for a removal. */
  readonly after?: JsonValue;
}
