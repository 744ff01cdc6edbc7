import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Client,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  isInputRequiredResult,
  LOG_LEVEL_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { type JsonObject, ToolSearchError } from '@tool-search/core';
import type { InputRequests, InputResponses, TraceContext } from '@tool-search/core/source';
import { APP_PAGE_TYPE, APPS_EXTENSION, type InputMethod, type ToolLogEntry } from '@tool-search/core/internal';
import type { ConnectionInput } from '../connection/connection-requests.js';

/** Requests that a server may send to the callers of its tools. */
export interface InputSettings {
  readonly elicitation?: boolean | undefined;
  readonly sampling?: boolean | undefined;
  readonly roots?: boolean | undefined;
}

/** The caller of one running call, as its server may ask it. */
export interface Asker {
  /** Requests that this caller can answer. */
  readonly methods: readonly InputMethod[];
  /** @throws ToolSearchError `INPUT_REQUIRED`; the call has ended then */
  ask(requests: InputRequests): Promise<InputResponses>;
  log(entry: ToolLogEntry): void;
}

/** Members of a result that asks for input, and of the request that answers it. */
interface Extra {
  readonly inputResponses?: InputResponses;
  readonly requestState?: string;
}

/** A running call: its caller, and its trace for a server that may learn of it. */
interface TracedCall {
  readonly asker: Asker;
  readonly trace?: TraceContext | undefined;
}

type Send<T> = (extra: Extra & { readonly _meta?: JsonObject }) => Promise<T>;

/** How often one call may ask. */
const MAX_ROUNDS = 10;
const CAPABILITIES: Readonly<Record<InputMethod, ClientCapabilities>> = {
  'elicitation/create': { elicitation: { form: {}, url: {} } },
  'sampling/createMessage': { sampling: {} },
  'roots/list': { roots: {} },
};

const PROPERTY = { 'elicitation/create': 'elicitation', 'sampling/createMessage': 'sampling', 'roots/list': 'roots' };

/** The methods that the settings allow. Elicitation is allowed by default. */
export function allowedMethods({ elicitation = true, sampling, roots }: InputSettings = {}): readonly InputMethod[] {
  return [
    ...(elicitation ? (['elicitation/create'] as const) : []),
    ...(sampling ? (['sampling/createMessage'] as const) : []),
    ...(roots ? (['roots/list'] as const) : []),
  ];
}

/** The capabilities of a client that can be asked in these ways. @param apps whether it shows pages of tools */
export function capabilitiesFor(methods: readonly InputMethod[], apps: boolean): ClientCapabilities {
  const extensions = apps && { extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_PAGE_TYPE] } } };
  return Object.assign({}, ...methods.map((method) => CAPABILITIES[method]), extensions) as ClientCapabilities;
}

/**
 * The callers of one connection. A server of a revision before 2026-07-28 asks with a request of its own, which over
 * HTTP arrives on the stream of the call; elsewhere it can only be of the one call that is running.
 */
export class Askers {
  readonly #running = new Set<Asker>();
  // What arrives on the stream of a call is handled in the asynchronous context in which the call was sent.
  readonly #current = new AsyncLocalStorage<Asker>();

  constructor(
    private readonly client: Client,
    private readonly input: ConnectionInput,
  ) {
    for (const method of input.methods) {
      client.setRequestHandler(
        method,
        ({ params }) => this.#answered(method, params as JsonObject | undefined) as never,
      );
    }
    if (!input.logs) return;
    client.setNotificationHandler('notifications/message', ({ params: { level, data, logger } }) => {
      this.#asked()?.log({ level, data, ...(logger !== undefined && { logger }) });
    });
  }

  /**
   * Sends a call as often as its server asks for input.
   *
   * @param send sends it with these additional parameters
   */
  async run<T>(call: TracedCall, logs: boolean, send: Send<T>) {
    const { asker } = call;
    this.#running.add(asker);
    const rounds = () => this.#rounds(call, logs, send);
    // Since 2026-07-28 only log entries arrive on the stream of a call. An AsyncLocalStorage that has been used slows down
    // every promise of a Node.js 20 process.
    const needsContext = logs || this.client.getProtocolEra() !== 'modern';
    try {
      return await (needsContext ? this.#current.run(asker, rounds) : rounds());
    } finally {
      this.#running.delete(asker);
    }
  }

  async #rounds<T>({ asker, trace }: TracedCall, logs: boolean, send: Send<T>) {
    const modern =
      this.client.getProtocolEra() === 'modern'
        ? {
            // Of this caller: a server may have another way for one that cannot be asked.
            [CLIENT_CAPABILITIES_META_KEY]: capabilitiesFor(
              this.input.methods.filter((method) => asker.methods.includes(method)),
              this.input.apps,
            ) as JsonObject,
            ...(logs && { [LOG_LEVEL_META_KEY]: 'debug' }),
          }
        : undefined;
    const meta = trace ? { ...modern, ...trace } : modern;
    let extra: Extra = {};
    for (let round = 0; round <= MAX_ROUNDS; round++) {
      const result = await this.#sent(asker, () => send({ ...extra, ...(meta && { _meta: meta }) }));
      if (!isInputRequiredResult(result)) return result;
      const { inputRequests = {}, requestState } = result;
      extra = {
        ...(Object.keys(inputRequests).length > 0 && {
          inputResponses: await asker.ask(inputRequests as unknown as InputRequests),
        }),
        ...(requestState !== undefined && { requestState }),
      };
    }
    throw new ToolSearchError('UPSTREAM_INVALID', `The server has asked its caller more than ${MAX_ROUNDS} times.`);
  }

  // A server that cannot go on without a capability refuses the call. To ask the caller is to learn what it lacks.
  async #sent<T>(asker: Asker, send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof MissingRequiredClientCapabilityError)) throw error;
      const lacking = this.input.methods.filter(
        (method) => !asker.methods.includes(method) && PROPERTY[method] in error.requiredCapabilities,
      );
      if (lacking.length > 0) await asker.ask(Object.fromEntries(lacking.map((method) => [method, { method }])));
      throw error;
    }
  }

  async #answered(method: InputMethod, params: JsonObject | undefined): Promise<unknown> {
    const asker = this.#asked();
    if (!asker) throw new ProtocolError(ProtocolErrorCode.InternalError, 'It is not known which call asks.');
    const { _meta, ...rest } = params ?? {};
    return (await asker.ask({ input: { method, params: rest } }))['input'];
  }

  #asked(): Asker | undefined {
    const [only, ...others] = this.#running;
    return this.#current.getStore() ?? (others.length === 0 ? only : undefined);
  }
}
