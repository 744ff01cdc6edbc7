import type { JsonValue } from '../json/json.js';

/** One place where what a source says of a tool is no longer what was accepted. */
export interface DefinitionChange {
  /** JSON pointer into the tool's origin. */
  readonly path: string;
  /** As it was accepted; absent for what is new. Of a long text, the part around the first difference. */
  readonly before?: JsonValue;
  /** As the source says it now; absent for what is gone. */
  readonly after?: JsonValue;
}
