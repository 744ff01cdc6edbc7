import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { Activated } from '../runs/run-tools.js';
import type { ActivatedCall, AdmittedCall } from './call-types.js';

/**
 * Activates a deferred tool for the run or session, and attributes the call to the searches that found the tool.
 *
 * @throws ToolSearchError `ACTIVATION_LIMIT`
 */
export async function activate(call: AdmittedCall): Promise<ActivatedCall> {
  const { request, caller, tool, options } = call;
  const { run } = request;
  run.used(caller, tool);
  const activation = tool.loading === 'deferred' ? await activated(call) : undefined;
  if (activation && activation.overLimit.length > 0) throw run.limitError();
  return Object.assign(call, { activation, mode: options.whole ? undefined : request.shown.last(caller) });
}

// An activation only lists a tool and authorizes nothing. If it cannot be written, the admitted call runs anyway.
async function activated({ request, caller, tool }: AdmittedCall): Promise<Activated | undefined> {
  try {
    return await request.run.activate(caller, [tool], 'first_use');
  } catch (error) {
    if (isToolSearchError(error) && error.code === 'STORE_UNAVAILABLE') return undefined;
    throw error;
  }
}
