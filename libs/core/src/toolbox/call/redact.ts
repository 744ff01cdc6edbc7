import { errorOf } from '../../access/limits/limit-failure.js';
import { failureOf } from '../../tool/tool-result.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolCall } from '../../tool/tool-source.js';
import type { ResultRedaction } from '../results/redaction/result-redaction.js';
import type { BoundedOutput } from './bound.js';
import type { CallsSettings } from './call-options.js';
import type { BegunCall } from './call-types.js';

export interface RedactionServices {
  readonly calls: CallsSettings;
  /** @default no result is redacted */
  readonly redaction: ResultRedaction | undefined;
}

/**
 * Redacts an output, within the same limit of bytes.
 *
 * @param own whose signal ends the work: that of a shared call outlasts its first caller
 * @throws ToolSearchError `REDACTION_FAILED`
 */
export function redact(
  { tool, state }: BegunCall,
  own: Pick<ToolCall, 'signal'>,
  output: BoundedOutput,
  { redaction, calls }: RedactionServices,
): BoundedOutput | Promise<BoundedOutput> {
  const redactor = redaction?.of(tool.name, own.signal, state.facts);
  return redactor ? redactor.output(output, calls.maxResultBytes) : output;
}

/**
 * Redacts an output that the application has put in the place of another one.
 *
 * @param isCut whether this output itself was cut, not the one before it
 * @throws ToolSearchError `REDACTION_FAILED`
 */
export async function redactChanged(
  call: BegunCall,
  output: BoundedOutput,
  { isCut }: { readonly isCut: boolean },
  services: RedactionServices,
): Promise<BoundedOutput> {
  const redacted = await redact(call, call, { ...output, truncated: isCut }, services);
  return { ...redacted, truncated: redacted.truncated || output.truncated };
}

/** Redacts the words of the errors of `rest`: a source's own, also if an equal call of another caller met them. */
export function withRedactedErrors<T>(
  call: BegunCall,
  { reportFault }: { readonly reportFault: (tool: string, error: unknown) => void },
  rest: () => Promise<T>,
): Promise<T> {
  const { redaction, signal, tool, metaNames } = call;
  if (!redaction) return rest();
  return rest().catch(async (error: unknown) => {
    if (signal.aborted || !isToolSearchError(error)) throw error;
    // In full for the operator, who would otherwise read the redacted words.
    if (error.cause !== undefined) reportFault(tool.name, error);
    throw errorOf(await redaction.failure(failureOf(error, metaNames)));
  });
}
