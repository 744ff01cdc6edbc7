import { type SourceAnswer, type ToolCall, type ToolContext, ToolSearchError } from '@tool-search/core';
import { type Egress, isEgressRefused, redactError, type Secrets } from '@tool-search/core/source';
import { type CallersCircuit, CircuitOpenError, DeadlineError } from '@tool-search/core/internal';
import { operationAnswer, type ReceivedResponse } from './operation-answer.js';
import type { OperationRequest } from './operation-request.js';
import { UpstreamUnavailableError, verdictOf } from './upstream-unavailable.error.js';
import { boundedBody } from './response-body.js';

/** The target and the limits of a call. */
export interface CallWay {
  /** The tool's name; the circuit breaker counts timeouts per operation. */
  readonly operation: string;
  readonly egress: Egress;
  readonly circuit: CallersCircuit;
  /** Whose call it is, for the circuit. */
  readonly caller: ToolContext;
  /** Redacted from the response. */
  readonly secrets: Secrets;
  readonly maxBytes: number;
  readonly maxTokens: number;
}

// Tolerance for the clock: the timer of a deadline may fire slightly early.
const SLACK_MS = 100;

/**
 * Sends a request and reads the response up to the limits.
 *
 * @throws ToolSearchError `UPSTREAM_INVALID` (redirect), `SOURCE_UNAVAILABLE` (network error, or the circuit is open);
 * the signal's reason when aborted
 */
export async function callOperation(request: OperationRequest, way: CallWay, call: ToolCall): Promise<SourceAnswer> {
  const { operation, egress, circuit, caller, secrets, maxBytes, maxTokens } = way;
  call.signal.throwIfAborted();
  try {
    const received = await circuit.runFor(caller, {
      work: () => receive(request, egress, maxBytes, call),
      judge: (outcome) => verdictOf(outcome, operation),
      isWithdrawn: () => call.signal.aborted && !(call.signal.reason instanceof DeadlineError),
    });
    if (isRedirect(received)) {
      throw new ToolSearchError('UPSTREAM_INVALID', 'The API answered with a redirect, which is not followed.', {
        hint: 'If the resource was renamed or moved, call the tool with its new place.',
      });
    }
    return operationAnswer(received, secrets, maxTokens);
  } catch (error) {
    call.signal.throwIfAborted();
    if (error instanceof ToolSearchError) throw error;
    // The error of a parser quotes what it could not read.
    redactError(error, secrets);
    if (error instanceof CircuitOpenError) {
      throw new ToolSearchError('SOURCE_UNAVAILABLE', 'The API is not answering; it is not called for now.', {
        hint: 'Try again later.',
      });
    }
    if (isEgressRefused(error)) {
      throw new ToolSearchError('SOURCE_UNAVAILABLE', 'The API has an address that is not public.', {
        hint: 'This is for the operator: allow it by egress.allow of this source, if it is meant.',
        cause: error,
      });
    }
    throw new ToolSearchError('SOURCE_UNAVAILABLE', 'The API could not be reached or broke off its answer.', {
      hint: 'Try again later. A call that changes something may have taken effect.',
      cause: error,
    });
  }
}

async function receive(
  { url, method, headers, body }: OperationRequest,
  egress: Egress,
  maxBytes: number,
  { signal, deadline }: ToolCall,
): Promise<ReceivedResponse> {
  try {
    const response = await egress.fetch(url, { method, headers: [...headers], body, signal });
    if (isRedirect(response)) {
      await response.body?.cancel();
      return { status: response.status, headers: response.headers, body: { bytes: Buffer.alloc(0), cut: false } };
    }
    return { status: response.status, headers: response.headers, body: await boundedBody(response, maxBytes) };
  } catch (error) {
    // Refused addresses and cancelled calls do not count as outages.
    const isOurs = isEgressRefused(error) || (signal.aborted && Date.now() < deadline - SLACK_MS);
    throw isOurs ? error : new UpstreamUnavailableError(error, signal.aborted);
  }
}

function isRedirect({ status, headers }: { readonly status: number; readonly headers: Headers }): boolean {
  return status >= 300 && status < 400 && headers.has('location');
}
