import type { ToolResult } from '../../tool/tool-result.js';
import { toOutput } from '../../tool/tool-source.js';
import type { CallsSettings } from '../call/call-options.js';
import type { NamedCall } from '../call/call-types.js';
import { boundedResult } from '../call/bound.js';
import { definitions, readResult, type ReadingServices } from '../results/result-reading.js';
import { activateTools, type FoundServices, loadableTools } from '../search/found-tools.js';
import { searchTools, type SearchServices } from '../search/toolbox-search.js';
import type { StepLedger } from '../surface/surface.js';
import type { ToolboxActions } from './meta-tool-spec.js';
import { metaArguments, type MetaToolSet } from './meta-tool-set.js';
import { withNaming } from './with-naming.js';

export interface MetaServices extends SearchServices, FoundServices, ReadingServices {
  readonly metaTools: MetaToolSet;
  readonly ledger: StepLedger;
  readonly calls: CallsSettings;
}

/**
 * Answers a model's call of a meta tool: no tool of the catalog, so nothing of what decides about tools concerns it.
 *
 * @throws ToolSearchError for invalid arguments, and the errors of the meta tool's operation
 */
export async function answerMetaTool(call: NamedCall, services: MetaServices): Promise<ToolResult> {
  const { name, input, caller, request, options } = call;
  const { naming } = options;
  const mode = request.shown.last(caller);
  const spec = services.metaTools.answering(name, mode);
  if (!spec) throw new Error(`${name} is no meta tool that answers by itself`);
  const refusal = options.refuseMeta?.(name, spec.kind);
  if (refusal) return refusal;
  const receipts: string[] = [];
  const plain = actionsOf(call, services, receipts);
  const answer = await spec.answer(metaArguments(spec, input), naming ? withNaming(plain, naming) : plain);
  services.ledger.answered({ context: caller.context, kind: spec.kind, input, answer });
  const result = boundedResult(toOutput(answer), services.calls);
  return receipts.length === 0 ? result : { ...result, receipt: receipts.join(' ') };
}

// Receipts belong at the end of the result, not in its text.
function actionsOf(
  { request, options: { offerTokens } }: NamedCall,
  services: MetaServices,
  receipts: string[],
): ToolboxActions {
  const taken = <T extends { readonly receipt?: string }>({ receipt, ...reply }: T): Omit<T, 'receipt'> => {
    if (receipt !== undefined) receipts.push(receipt);
    return reply;
  };
  return {
    search: async (asked, line) => taken(await searchTools(request, services, asked, line, offerTokens)),
    get: (wanted, read) => definitions(request, services, wanted, read),
    activate: async (wanted) => taken(await activateTools(request, services, wanted)),
    loadable: () => loadableTools(request),
    read: (input) => readResult(request, services, input),
  };
}
