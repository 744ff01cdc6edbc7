import type { ToolDefinition, ToolFinding } from '../../tool/tool-definition.js';
import type { ShownText } from '../ingest/shown-texts.js';

/** A tool as an inspector reads it. */
export interface InspectedTool {
  readonly definition: ToolDefinition;
  /** All texts that a model may see, in their order in the definition; at most 262,144 characters together. */
  readonly texts: readonly ShownText[];
}

/**
 * Guesses whether a tool's texts address the model instead of describing the tool. The option `inspection` decides what
 * a finding causes: the tool stays usable and is reported, or it is held for an operator.
 *
 * It runs for each tool of an external source whose definition is new or changed, at most eight at a time. A tool may
 * take 2 seconds and all tools of a load 15 seconds. A tool whose inspection throws or takes longer has the finding
 * `inspection-failed` until the next load. An inspector that blocks the event loop blocks the process.
 */
export interface ToolInspector {
  /**
   * @param signal aborts when the time of this tool is up
   * @returns the most important finding; undefined for none
   */
  inspect(tool: InspectedTool, signal: AbortSignal): ToolFinding | undefined | Promise<ToolFinding | undefined>;
}
