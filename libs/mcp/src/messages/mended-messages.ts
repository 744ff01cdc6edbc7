import { type JSONRPCRequest, type RequestId, type Transport } from '@modelcontextprotocol/client';
import { isObject } from '@tool-search/core/internal';
import { soundResult, unknownRevision } from './sound-result.js';
import { withoutNulls } from './without-nulls.js';

/** JSON-RPC error code for an answer to `initialize` in an unsupported revision, which is its message. */
export const WRONG_REVISION = -32_097;

type Receive = NonNullable<Transport['onmessage']>;
type Message = Record<string, unknown>;

/** Methods of the requests of a connection that wait for their answers, by id. */
export class OpenRequests {
  readonly #methods = new Map<RequestId, string>();

  /** The only one that waits, which an answer without an id must belong to. */
  get only(): RequestId | undefined {
    const [only, ...others] = this.#methods.keys();
    return others.length === 0 ? only : undefined;
  }

  add({ id, method }: Pick<JSONRPCRequest, 'id' | 'method'>): void {
    // What was asked before, to find out the revision, is not answered any more.
    if (method === 'initialize') this.#methods.clear();
    this.#methods.set(id, method);
  }

  delete(id: RequestId): void {
    this.#methods.delete(id);
  }

  /** The id under which a request was sent: some servers send a number back as text. */
  idOf(id: RequestId | undefined): RequestId | undefined {
    if (id === undefined || this.#methods.has(id)) return id;
    return this.#methods.has(Number(id)) ? Number(id) : id;
  }

  methodOf(id: RequestId): string | undefined {
    return this.#methods.get(id);
  }
}

/**
 * Changes every message of a transport before anyone receives it. What the SDK receives while it negotiates the revision
 * is among them, so this cannot be a handler of messages, which the SDK replaces meanwhile.
 *
 * @param change changes a message in place: everyone who receives a message receives the same object
 */
export function changeIncoming(transport: Transport, change: (message: Message) => void): void {
  // A handler that is set calls the one before it.
  const changed = new WeakSet<object>();
  let receive: Receive | undefined;
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set: (handler: Receive | undefined) => {
      receive =
        handler &&
        ((message, extra) => {
          if (!changed.has(message)) change(message as unknown as Message);
          changed.add(message);
          handler(message, extra);
        });
    },
  });
}

/** Brings a message, whose envelope is sound, into a form that the SDK accepts; in place. */
export function mendMessage(message: Message, open: OpenRequests): void {
  const { method, params, result } = message as unknown as Partial<JSONRPCRequest> & { readonly result?: Message };
  if (typeof method === 'string') {
    if (isObject(params)) message['params'] = withoutNulls(params);
    return;
  }
  const id = open.idOf(message['id'] as RequestId | undefined);
  if (id === undefined) return;
  message['id'] = id;
  const asked = open.methodOf(id);
  open.delete(id);
  if (!isObject(result) || asked === undefined) return;
  const revision = asked === 'initialize' ? unknownRevision(result) : undefined;
  if (revision === undefined) message['result'] = soundResult(asked, result);
  else {
    delete message['result'];
    message['error'] = { code: WRONG_REVISION, message: revision };
  }
}
