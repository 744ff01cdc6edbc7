import {
  type ClientCapabilities,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ToolDefinition, ToolFailure, ToolResult } from '@tool-search/core';
import { failure } from '@tool-search/core/adapter';
import { argumentsDigest, globSet, readArguments, shownArguments } from '@tool-search/core/internal';
import { randomUUID } from 'node:crypto';
import { type GatewayRequest, gatewayRequest } from '../gateway-request.js';
import { hasForms } from '../input/answers.js';
import type { GatewaySettings } from '../tool-gateway.options.js';
import type { UsedConfirmations } from './used-confirmations.js';

/** Signed by the server, carried by the client to the retried call. Holds no arguments. */
export interface QuestionState {
  /** `input`: a tool itself asks; its call waits in this process. */
  readonly kind: 'confirm' | 'approval' | 'input';
  readonly tool: string;
  /** Of the definition and the arguments; of the request where a tool asks; `''` if the call was refused before. */
  readonly call: string;
  /** Of `approval`: the user has confirmed the call before a second person was asked. */
  readonly isConfirmed?: true;
  readonly nonce: string;
}

/** The part of a call that may ask its user. */
export interface CallConfirmation {
  /** The admitted tool, once it is known. */
  readonly tool: ToolDefinition | undefined;
  /** `confirm` of the call's options. */
  readonly ask: (tool: ToolDefinition, input: unknown) => Promise<ToolFailure | undefined>;
  /** Returns the answer instead of this result, if the user has to be asked first. @throws ProtocolError −32602 */
  question(result: ToolResult): Promise<InputRequiredResult | undefined>;
}

/** Asks callers to confirm calls, and shows them where an approval is decided. */
export class Confirmations {
  readonly #codec: RequestStateCodec<QuestionState>;
  readonly #named: (name: string) => boolean;

  constructor(
    private readonly settings: GatewaySettings,
    private readonly used: UsedConfirmations,
  ) {
    const { stateKey, confirm } = settings;
    this.#named = globSet(confirm.tools);
    this.#codec = createRequestStateCodec<QuestionState>({
      key: stateKey ?? `${randomUUID()}${randomUUID()}`,
      ttlSeconds: Math.ceil(confirm.forMs / 1000),
      bind: (context) => {
        const { principal, endpoint } = gatewayRequest(context.http?.req);
        return JSON.stringify([principal, endpoint.route, context.mcpReq.method]);
      },
    });
  }

  /** For the SDK: checks signature, expiry and caller of a state before a handler runs. */
  verified(state: string, context: ServerContext): Promise<QuestionState> {
    return this.#codec.verify(state, context);
  }

  /** Signs a state for a client to carry. */
  minted(state: QuestionState, context: ServerContext): Promise<string> {
    return this.#codec.mint(state, context);
  }

  /** @param target canonical name or alias of the called tool, also where the call goes through the bridge */
  ofCall(
    request: GatewayRequest,
    context: ServerContext,
    capabilities: ClientCapabilities | undefined,
    target: unknown,
  ): CallConfirmation {
    const { approvalUrl } = this.settings;
    const { toolbox } = request;
    const state = context.mcpReq.requestState<QuestionState | undefined>();
    let admitted: ToolDefinition | undefined;
    let digest = () => '';
    let isConfirmed = false;
    let pending: InputRequiredResult | undefined;
    let fault: ProtocolError | undefined;

    const ask = async (tool: ToolDefinition, input: unknown): Promise<ToolFailure | undefined> => {
      admitted = tool;
      digest = () => `${tool.hash} ${argumentsDigest(readArguments(input))}`;
      const isAsked = this.#needsConfirmation(tool);
      // Most calls are of tools about which nobody is asked.
      if (!state && !isAsked) return undefined;
      const call = digest();
      if (state && !(await this.#isGenuine(state, tool, call, request))) {
        fault = new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
          reason: 'invalid_request_state',
        });
        return failure('CONFIRMATION_REQUIRED', fault.message);
      }
      if (!isAsked) return undefined;
      if (state?.kind === 'approval' && state.isConfirmed) {
        isConfirmed = true;
        return undefined;
      }
      const responses = context.mcpReq.inputResponses ?? {};
      // An own member only: a client may send one named __proto__.
      const isAnswered = state?.kind === 'confirm' && Object.hasOwn(responses, 'confirm');
      const response = isAnswered ? inputResponse({ confirm: responses['confirm'] }, 'confirm') : undefined;
      if (response?.kind === 'elicit') {
        isConfirmed = response.action === 'accept' && response.content?.['confirm'] === true;
        return isConfirmed ? undefined : declined(tool);
      }
      if (!hasForms(capabilities)) return unasked(tool);
      const shown = shownArguments(readArguments(input));
      if (shown === undefined) return unshowable(tool);
      const requestState = await this.#codec.mint(
        { kind: 'confirm', tool: tool.name, call, nonce: randomUUID() },
        context,
      );
      pending = inputRequired({ inputRequests: { confirm: formOf(tool, shown) }, requestState });
      return failure('CONFIRMATION_REQUIRED', 'The user is being asked.');
    };

    const question = async (result: ToolResult): Promise<InputRequiredResult | undefined> => {
      if (fault) throw fault;
      if (pending || result.ok) return pending;
      const isWaiting = result.code === 'APPROVAL_REQUIRED' || result.code === 'APPROVAL_PENDING';
      // Shown once: the caller opens the page, and repeats the call.
      const isShown = state !== undefined && state.kind !== 'confirm';
      if (!isWaiting || !approvalUrl || isShown || !capabilities?.elicitation?.url) return undefined;
      const tool = (await toolbox.visible()).find(({ name, aliases }) =>
        [name, ...aliases].some((each) => each === target),
      );
      if (!tool) return undefined;
      const requestState = await this.#codec.mint(
        { kind: 'approval', tool: tool.name, call: digest(), nonce: randomUUID(), ...(isConfirmed && { isConfirmed }) },
        context,
      );
      const url = approvalUrl({ tool, context: request.context });
      const approval = inputRequired.elicitUrl({ message: result.message, url });
      return inputRequired({ inputRequests: { approval }, requestState });
    };

    return {
      get tool() {
        return admitted;
      },
      ask,
      question,
    };
  }

  #needsConfirmation({ name, tags, sideEffects }: ToolDefinition): boolean {
    const { confirm } = this.settings;
    return (
      this.#named(name) || confirm.sideEffects.includes(sideEffects) || tags.some((tag) => confirm.tags.includes(tag))
    );
  }

  /** Whether a state is of this very call, and used for the first time on any instance. */
  async #isGenuine(
    { kind, tool, call: confirmed, nonce }: QuestionState,
    { name }: ToolDefinition,
    call: string,
    { context }: GatewayRequest,
  ): Promise<boolean> {
    const isOfCall = kind === 'confirm' || confirmed !== '';
    if (tool !== name || (isOfCall && confirmed !== call)) return false;
    return this.used.claim(nonce, context);
  }
}

function formOf(tool: ToolDefinition, shown: string) {
  return inputRequired.elicit({
    message: `Run ${tool.name} with these arguments?\n${shown}`,
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: 'Run it' } },
      required: ['confirm'],
    },
  });
}

function unshowable({ name }: ToolDefinition): ToolFailure {
  return failure(
    'INVALID_ARGUMENTS',
    `The arguments of ${name} have more members than a form can show, so that its user cannot confirm the call.`,
    'Make the call with fewer members, for example in several calls.',
  );
}

function declined({ name }: ToolDefinition): ToolFailure {
  return failure(
    'CONFIRMATION_REFUSED',
    `The user did not confirm the call of ${name}, and nothing has happened.`,
    'Do not call it again with these arguments unless the user asks for it.',
  );
}

function unasked({ name }: ToolDefinition): ToolFailure {
  return failure(
    'CONFIRMATION_REQUIRED',
    `${name} runs only after its user has confirmed the call, and this client cannot ask.`,
    'Tell the user to make this call in a client that shows forms of MCP servers (elicitation).',
  );
}
