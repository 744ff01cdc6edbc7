import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolCall } from '@tool-search/core';
import type { TraceContext } from '@tool-search/core/source';
import { ApiAccess } from './call/api-access.js';
import { OpenApiSource, type OpenApiSourceOptions } from './index.js';

const { signal } = new AbortController();
const TRACE: TraceContext = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01',
  baggage: 'tier=gold',
};
const OTHER = '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-01';

describe('the trace of a call', () => {
  let server: Server;
  let baseUrl: string;
  let seen: IncomingMessage['headers'][];

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  beforeEach(() => {
    seen = [];
  });

  const parameters = ['traceparent', 'tracestate'].map((name) => ({ name, in: 'header' }));
  const document = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: { '/thing': { get: { operationId: 'thing', parameters } } },
  };
  const sent = async (
    options: Partial<OpenApiSourceOptions>,
    input: object = {},
    traced: Partial<ToolCall> = { trace: TRACE },
  ) => {
    const source = new OpenApiSource({ name: 'api', document, baseUrl, ...options });
    await source.load(signal);
    const call: ToolCall = { id: 'call', signal, deadline: Date.now() + 600_000, progress: () => undefined };
    await source.call('thing', input, { tenantId: 'acme' }, { ...call, ...traced });
    await source.close();
    const { traceparent, tracestate, baggage } = seen.at(-1)!;
    return { traceparent, tracestate, baggage };
  };
  const nothing = { traceparent: undefined, tracestate: undefined, baggage: undefined };

  it('is in the headers, in place of arguments with these names', async () => {
    expect(await sent({}, { traceparent: OTHER, tracestate: 'a=b' })).toEqual({ ...nothing, ...TRACE });
    expect(await sent({ baseUrl: () => baseUrl })).toEqual({ ...nothing, ...TRACE });
  });

  it("does not override the operator's headers, and is not mixed with theirs", async () => {
    expect(await sent({ headers: { baggage: 'tier=operator' } })).toMatchObject({ ...TRACE, baggage: 'tier=operator' });
    const parent = { ...nothing, traceparent: OTHER };
    expect(await sent({ headers: { traceparent: OTHER } })).toEqual(parent);
    expect(await sent({ headers: { traceparent: OTHER } }, { tracestate: 'a=b' })).toEqual(parent);
    const state = { tracestate: 'operator=1' };
    expect(await sent({ headers: state }, { tracestate: 'a=b' })).toEqual({ ...TRACE, ...state });
  });

  it("is whole at a server of the document that gets none of the operator's headers", async () => {
    const get = { ...document.paths['/thing'].get, servers: [{ url: baseUrl }] };
    const servers = [{ url: 'https://api.example.com' }];
    const foreign = {
      document: { ...document, servers, paths: { '/thing': { get } } },
      baseUrl: undefined,
      egress: { allow: ['127.0.0.1'] },
      headers: { traceparent: OTHER, tracestate: 'operator=1', baggage: 'tier=operator' },
    };
    expect(await sent(foreign, { tracestate: 'a=b' })).toEqual({ ...nothing, ...TRACE });
  });

  it('is not there where the application says so, nor for a call without one', async () => {
    expect(await sent({ propagate: false })).toEqual(nothing);
    expect(await sent({}, {}, {})).toEqual(nothing);
  });

  it.each([
    ['this machine', 'http://localhost/v1', undefined, 'http://localhost/v1/a', true],
    ['this machine, as a function returns it', () => 'http://localhost/v1', undefined, 'http://localhost/v1/a', true],
    ['a place that is allowed by its name', 'http://api.internal', undefined, 'http://api.internal/a', true],
    ['an address that is allowed', undefined, undefined, 'http://10.1.2.3/a', true],
    ['a public place', 'https://api.example.com', undefined, 'https://api.example.com/a', false],
    ['a public place, as a function returns it', () => 'https://a.example', undefined, 'https://a.example/a', false],
    ['this machine, where it is switched on', 'http://localhost/v1', true, 'http://localhost/v1/a', true],
    ['an address that is allowed, where it is switched on', undefined, true, 'http://10.1.2.3/a', true],
    ['this machine, where it is switched off', 'http://localhost/v1', false, 'http://localhost/v1/a', false],
  ])('whether %s learns of it', async (_, base, propagate, url, shares) => {
    const place = base === undefined ? {} : { baseUrl: base };
    const allow = ['10.0.0.0/8', 'api.internal'];
    const access = new ApiAccess({ source: 'api', ...place, allow, isTenants: false, propagate }, () => undefined);
    expect(access.sharesTraces(url, true)).toBe(shares);
    expect(access.sharesTraces(url, false)).toBe(shares);
    await access.close();
  });

  it('a public place learns of it where the option says so, if it gets the credentials too', async () => {
    const settings = { source: 'api', baseUrl: 'https://a.example', allow: [], isTenants: false, propagate: true };
    const access = new ApiAccess(settings, () => undefined);
    expect(access.sharesTraces('https://a.example/a', true)).toBe(true);
    // Of another server than the operator's own, in a document from outside, the option says nothing.
    expect(access.sharesTraces('https://b.example/a', false)).toBe(false);
    await access.close();
  });
});
