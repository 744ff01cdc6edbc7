import type { ToolResult } from '../../tool/tool-result.js';
import type { ActivatedCall, BegunCall } from './call-types.js';
import type { DecisionServices } from './decide.js';
import { noteOf } from './deprecation.js';

/** Adds what a model reads after a result: that the tool is deprecated, and the receipt of its activation. */
export async function note(
  call: ActivatedCall,
  result: ToolResult,
  services: Pick<DecisionServices, 'gate'>,
): Promise<ToolResult> {
  return withReceipt(withNote(result, await deprecationOf(call, services)), call);
}

/** Adds what the person says who has approved the call, if it has run. */
export function noteOfApproval({ state: { approval, isDispatched } }: BegunCall, result: ToolResult): ToolResult {
  if (!approval || approval.note === '' || !isDispatched) return result;
  return withNote(result, `The person who approved this call says: ${approval.note}`);
}

// The tool has run: its result must not be lost for want of a sentence.
async function deprecationOf(
  call: ActivatedCall,
  { gate }: Pick<DecisionServices, 'gate'>,
): Promise<string | undefined> {
  try {
    const deprecation = gate.lifecycle().deprecations.of(call.tool);
    return deprecation && (await noteOf(deprecation, call.tool, call));
  } catch {
    return undefined;
  }
}

function withNote(result: ToolResult, text: string | undefined): ToolResult {
  if (text === undefined) return result;
  return { ...result, note: result.note === undefined ? text : `${result.note}\n${text}` };
}

function withReceipt(result: ToolResult, { activation }: ActivatedCall): ToolResult {
  if (!activation || activation.activated.length === 0) return result;
  const { receipt } = activation;
  return {
    ...result,
    ...(result.ok && { activated: true }),
    // A tool stays activated when its call fails.
    ...(receipt !== undefined && { receipt }),
  };
}
