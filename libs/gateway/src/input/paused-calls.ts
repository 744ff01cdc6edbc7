import {
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ToolSearchError, type ToolResult } from '@tool-search/core';
import { type CallerInput, TenantFairLru } from '@tool-search/core/internal';
import { hash, randomUUID } from 'node:crypto';
import type { Confirmations, QuestionState } from '../approvals/confirmations.js';
import type { GatewayRequest } from '../gateway-request.js';
import { answerable, isAnswer, missingCapabilities } from './answers.js';
import { PausedCall } from './paused-call.js';

/** Calls that wait for answers, of one caller and of this process, where the tenant with the most loses its oldest. */
const MAX_PER_CALLER = 16;
const MAX = 1000;

/** Parts of the request that a call answers now; another request may have brought its last answers. */
export interface PausableParts {
  readonly signal: AbortSignal;
  readonly input: CallerInput;
  /** The handler's context of the newest request. */
  readonly context: () => ServerContext;
  /** Checks a result. @throws ProtocolError −32021 where the call ended for want of a capability, in the modern era */
  readonly checked: (result: ToolResult) => ToolResult;
}

/** The newest request of a call. */
interface Newest {
  context: ServerContext;
  capabilities: ClientCapabilities | undefined;
}

interface Entry {
  readonly call: PausedCall<unknown>;
  readonly tenantId: string;
  readonly principal: string;
  /** Of the request: an answer must come with the same one. */
  readonly digest: string;
  readonly newest: Newest;
}

interface Kept extends Entry {
  readonly expiry: NodeJS.Timeout;
}

/**
 * The calls of this process whose tools wait for answers of their callers. A client of 2026-07-28 brings the answers
 * with a repeated request, which names the call in its signed state; for a legacy client the SDK asks, and repeats.
 */
export class PausedCalls {
  /** By tenant and nonce. */
  readonly #entries: TenantFairLru<Kept>;

  constructor(
    private readonly confirmations: Pick<Confirmations, 'minted'>,
    private readonly forMs: number,
    max = MAX,
  ) {
    this.#entries = new TenantFairLru(max);
  }

  /**
   * Runs a call, or goes on with the one that the request's state names.
   *
   * @param asked what was requested, to compare a repeated request with it
   * @throws ProtocolError −32602 for a state of another request or process; what `run` throws
   */
  async answer<T>(
    request: GatewayRequest,
    { context, capabilities }: Newest,
    asked: unknown,
    run: (parts: PausableParts) => Promise<T>,
  ): Promise<T | InputRequiredResult> {
    const {
      principal,
      context: { tenantId },
    } = request;
    // Needed only for a call that waits, or that has waited.
    const digestOf = () => hash('sha256', JSON.stringify([context.mcpReq.method, asked]));
    const state = context.mcpReq.requestState<QuestionState | undefined>();
    const entry =
      state?.kind === 'input'
        ? this.#taken(state.nonce, request, digestOf())
        : { call: undefined, tenantId, principal, newest: { context, capabilities } };
    Object.assign(entry.newest, { context, capabilities });
    const call = entry.call ?? begun(run, entry.newest, !request.isLegacy);
    const round = await call.next(context.mcpReq.inputResponses ?? {}, context.mcpReq.signal);
    if ('done' in round) return round.done as T;
    const nonce = randomUUID();
    const digest = digestOf();
    this.#keep(nonce, { ...entry, call, digest });
    const requestState = await this.confirmations.minted({ kind: 'input', tool: '', call: digest, nonce }, context);
    return inputRequired({ inputRequests: round.questions as never, requestState });
  }

  /** Cancels all of them. */
  close(): void {
    for (const [, , kept] of this.#entries.entries()) giveUp(kept, 'the server is shutting down');
    this.#entries.clear();
  }

  /** @throws ProtocolError −32602 */
  #taken(nonce: string, { principal, context: { tenantId } }: GatewayRequest, digest: string): Entry {
    const entry = this.#entries.get(tenantId, nonce);
    if (!entry || entry.principal !== principal || entry.digest !== digest) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
        reason: 'invalid_request_state',
      });
    }
    clearTimeout(entry.expiry);
    this.#entries.delete(tenantId, nonce);
    return entry;
  }

  /** @throws ToolSearchError `RATE_LIMITED` */
  #keep(nonce: string, entry: Entry): void {
    const { call, tenantId, principal } = entry;
    const own = [...this.#entries.ofTenant(tenantId)].filter((each) => each.principal === principal).length;
    if (own >= MAX_PER_CALLER) {
      call.abandon(new Error('too many calls wait for answers'));
      throw new ToolSearchError('RATE_LIMITED', 'Too many calls wait for answers.', {
        hint: 'Answer or cancel them first.',
      });
    }
    const expiry = setTimeout(() => {
      this.#entries.delete(tenantId, nonce);
      call.abandon(new Error('nobody answered in time'));
    }, this.forMs).unref();
    const goes = this.#entries.set(tenantId, nonce, { ...entry, expiry });
    if (goes) giveUp(goes, 'newer calls of the tenant wait for answers');
  }
}

function giveUp({ call, expiry }: Kept, reason: string): void {
  clearTimeout(expiry);
  call.abandon(new Error(reason));
}

function begun<T>(run: (parts: PausableParts) => Promise<T>, newest: Newest, isModern: boolean): PausedCall<unknown> {
  let missing: ClientCapabilities | undefined;
  return new PausedCall<unknown>(
    (ask, signal) =>
      run({
        signal,
        input: {
          methods: answerable(newest.capabilities),
          ask: async (requests) => {
            missing = missingCapabilities(requests, newest.capabilities);
            if (missing) throw lacking(missing);
            return ask(requests);
          },
        },
        context: () => newest.context,
        checked: (result) => {
          if (missing && isModern && !result.ok && result.code === 'INPUT_REQUIRED') throw capabilityError(missing);
          return result;
        },
      }),
    isAnswer,
  );
}

function lacking(missing: ClientCapabilities): ToolSearchError {
  const names = Object.keys(missing).join(', ');
  return new ToolSearchError('INPUT_REQUIRED', `The tool asks for what this client has not declared: ${names}.`, {
    hint: 'The call has ended. Make it in a client that has these capabilities.',
  });
}

function capabilityError(missing: ClientCapabilities): MissingRequiredClientCapabilityError {
  const { message, code, hint = '' } = lacking(missing);
  const data = { requiredCapabilities: missing, code, hint };
  return new MissingRequiredClientCapabilityError(data, `${message} ${hint}`);
}
