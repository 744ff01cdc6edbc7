import type { ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import { incomingBehind, incomingOf } from './incoming.js';

function execution(type: string, ...args: unknown[]): ExecutionContext {
  const host = new ExecutionContextHost(args);
  host.setType(type);
  return host;
}

class TcpLikeContext {
  getArgs() {
    return [];
  }

  getPattern() {
    return 'sum';
  }
}

describe('what a handler is called for', () => {
  const request = { headers: {} };

  it('is the request over HTTP, with its response', () => {
    const response = {};
    expect(incomingOf(execution('http', request, response))).toEqual({ key: request, request, response });
    expect(incomingBehind(request)).toMatchObject({ key: request, request });
  });

  it('is the operation in GraphQL, of a field and of a reference, and its request is the one behind it', () => {
    const context = { req: request };
    for (const args of [
      [undefined, {}, context, {}],
      [{}, context, {}],
    ]) {
      expect(incomingOf(execution('graphql', ...args))).toEqual({ key: context, request, provided: context });
    }
    expect(incomingBehind(context)).toEqual({ key: context, request, provided: context });
    // Many applications also pass on the headers.
    const talkative = { req: request, headers: {} };
    expect(incomingBehind(talkative)).toEqual({ key: talkative, request, provided: talkative });
    const bare = { user: {} };
    expect(incomingOf(execution('graphql', undefined, {}, bare, {}))).toMatchObject({ key: bare, request: bare });
  });

  it('is the message in a gateway: two messages of one client share no toolbox', () => {
    const client = {};
    const [one, two] = [execution('ws', client, 'x'), execution('ws', client, 'x')].map(incomingOf);
    expect(one!.request).toBe(client);
    expect(one!.key).not.toBe(two!.key);
    expect([one!.key, two!.key]).not.toContain(client);
  });

  it('is the message in a microservice, with its own context of Nest, separate from others of the transport', () => {
    const context = new TcpLikeContext();
    const first = incomingOf(execution('rpc', { id: 1 }, context));
    expect(first).toEqual({ key: context, request: { pattern: 'sum', data: { id: 1 }, context } });
    const host = { pattern: 'sum', getContext: () => context, getData: () => 1, getPattern: () => 'sum' };
    expect(incomingBehind(host).key).toBe(context);
    const shared = { connection: 1 };
    const [one, two] = [1, 2].map((data) => incomingOf(execution('rpc', data, shared)));
    expect(one!.key).not.toBe(two!.key);
    expect(incomingBehind({ ...host, getContext: () => shared }).key).not.toBe(shared);
  });

  it.each([
    ['nothing that Nest knows', execution('necord', request)],
    ['HTTP without a request', execution('http')],
    ['GraphQL without a context', execution('graphql', {}, {})],
  ])('is refused with what to do instead: %s', (_, context) => {
    expect(() => incomingOf(context)).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIGURATION',
        hint: expect.stringContaining('ToolSearchService.open(context)'),
      }),
    );
  });

  it('is refused where a provider is built without a request, or for a client of many messages', () => {
    expect(() => incomingBehind(undefined)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION' }));
    for (const client of [
      { readyState: 1, send: () => undefined },
      { handshake: { headers: {} }, emit: () => true },
    ]) {
      expect(() => incomingBehind(client)).toThrow('many messages');
    }
  });
});
