import {
  type HandleRequestOptions,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  type TransportSendOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { RpcRefusal } from '../http/rpc-refusal.js';

/** A request of the client that has no answer yet. */
interface Unanswered {
  /** Id of the question to the client that it waits for. */
  question?: RequestId | undefined;
  /** Whether its client has disconnected. A call goes on all the same, but no question can be answered any more. */
  isLeft: boolean;
}

/**
 * The transport of one legacy session. The SDK finds the stream of an answer by the id of its request, so two running
 * requests with one id would receive each other's answers: the second one is refused. It also waits for the answer to a
 * question whose client has left: such a call ends at once.
 */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #unanswered = new Map<RequestId, Unanswered>();

  /** @throws RpcRefusal 400 for the id of a request that still runs */
  override async handleRequest(request: Request, options?: HandleRequestOptions): Promise<Response> {
    const message = options?.parsedBody;
    if (isJSONRPCResponse(message)) this.#answered(message.id);
    if (!isJSONRPCRequest(message)) return super.handleRequest(request, options);
    const { id } = message;
    if (this.#unanswered.has(id)) {
      throw new RpcRefusal(400, -32600, 'A request with this id is still running. Give each request an id of its own.');
    }
    const unanswered = { isLeft: request.signal.aborted };
    this.#unanswered.set(id, unanswered);
    request.signal.addEventListener('abort', () => this.#left(id, unanswered), { once: true });
    const response = await super.handleRequest(request, options);
    // It was refused before it reached the server, which will not answer it.
    if (!response.ok) this.#unanswered.delete(id);
    return response;
  }

  override send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const sent = super.send(message, options);
    if (isJSONRPCResponse(message)) {
      if (message.id !== undefined) this.#unanswered.delete(message.id);
    } else if (isJSONRPCRequest(message) && options?.relatedRequestId !== undefined) {
      this.#asked(options.relatedRequestId, message.id);
    }
    return sent;
  }

  /** Ends the stream of a cancelled request: the SDK never answers it, and keeps its stream open. */
  async forget(id: RequestId): Promise<void> {
    this.closeSSEStream(id);
    // Its stream has ended, so this is sent to nobody: it makes the transport forget the request.
    const error = { code: ProtocolErrorCode.InternalError, message: 'Cancelled' };
    await this.send({ jsonrpc: '2.0', id, error }).catch(() => undefined);
  }

  #asked(id: RequestId, question: RequestId): void {
    const request = this.#unanswered.get(id);
    if (!request) return;
    request.question = question;
    // Not at once: the server has not begun to wait for the answer.
    if (request.isLeft) queueMicrotask(() => this.#left(id, request));
  }

  #answered(question: RequestId | undefined): void {
    for (const request of this.#unanswered.values()) {
      if (request.question === question) request.question = undefined;
    }
  }

  #left(id: RequestId, request: Unanswered): void {
    request.isLeft = true;
    // A later request may have taken the id.
    if (request.question === undefined || this.#unanswered.get(id) !== request) return;
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    void this.forget(id);
  }
}
