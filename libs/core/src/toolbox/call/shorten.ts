import type { JsonObject } from '../../json/json.js';
import type { MetaToolSet } from '../meta-tools/meta-tool-set.js';
import type { ResultMarking } from '../results/marking/result-marking.js';
import type { ShortenedOutput, ShortenedResults } from '../results/shortened-results.js';
import type { BoundedOutput } from './bound.js';
import type { ActivatedCall, BegunCall } from './call-types.js';
import { isMarked } from './mark.js';

export interface ShorteningServices {
  /** @default no result is shortened */
  readonly results: ShortenedResults | undefined;
  readonly marking: ResultMarking;
  readonly metaTools: MetaToolSet;
}

/** Makes an output small enough for a model, and holds the whole one. */
export function shorten(
  call: BegunCall,
  output: BoundedOutput,
  services: ShorteningServices,
): ShortenedOutput | Promise<ShortenedOutput> {
  const { results, metaTools } = services;
  const { mode, tool, caller, id } = call;
  if (!results || mode === undefined) return output;
  const readOn = (args: JsonObject) => metaTools.readOn(mode, args);
  return results.shorten(output, { tool, caller, callId: id, readOn, isUntrusted: isMarked(call, services) });
}

/** Lists the meta tool that reads on in the whole result, which is held. */
export function listReader({ request, caller }: ActivatedCall): Promise<void> {
  return request.run.heldResult(caller, request.shown.last(caller));
}
