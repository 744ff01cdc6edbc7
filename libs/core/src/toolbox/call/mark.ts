import type { ToolResult } from '../../tool/tool-result.js';
import { markedResult, type ResultMarking } from '../results/marking/result-marking.js';
import type { BegunCall } from './call-types.js';

interface MarkingServices {
  readonly marking: ResultMarking;
}

/** Marks the texts of an untrusted tool as data, if a model reads them. */
export function mark(call: BegunCall, result: ToolResult, services: MarkingServices): ToolResult {
  return isMarked(call, services) ? markedResult(result) : result;
}

export function isMarked({ mode, tool, executor }: BegunCall, { marking }: MarkingServices): boolean {
  return mode !== undefined && marking.covers(tool, executor);
}
