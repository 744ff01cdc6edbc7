import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { HttpTransport } from './http-transport.js';

const REQUEST = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'slow' } } as const;
const CANCELLED = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } } as const;
const FIRST_EVENT = 'id: event-1\nretry: 1\ndata: \n\n';
// Longer than the shortest pause before a stream is resumed.
const RESUMED_MS = 1_500;

describe('HttpTransport', () => {
  let http: Server;
  let transport: HttpTransport;
  let asked: { method: string; headers: IncomingMessage['headers']; body: string }[];
  let answer: (asked: IncomingMessage, response: ServerResponse) => void;
  let received: JSONRPCMessage[];

  beforeEach(async () => {
    asked = [];
    received = [];
    http = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        asked.push({ method: request.method ?? '', headers: request.headers, body });
        if (!body.includes('"id"') && request.method === 'POST') return void response.writeHead(202).end();
        answer(request, response);
      });
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
    transport = new HttpTransport({ url, headers: { 'x-own': 'yes' }, allow: ['127.0.0.1'] }, 100_000, () => undefined);
    transport.onmessage = (message) => {
      transport.seen(message);
      received.push(message);
    };
    await transport.start();
  });

  afterEach(async () => {
    await transport.close();
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
  });

  const streamed = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(FIRST_EVENT);

  it('sends the headers of the endpoint and of the message, and none of its own', async () => {
    answer = (_, response) =>
      response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","id":7,"result":{}}');
    await transport.send(REQUEST, { headers: { 'mcp-param-city': 'Oslo' } });
    expect(received).toMatchObject([{ id: 7, result: {} }]);
    expect(asked[0]!.headers).toMatchObject({ 'x-own': 'yes', 'mcp-param-city': 'Oslo' });
    expect(asked[0]!.headers).not.toHaveProperty('x-exchange');
  });

  it('resumes a stream that has broken', async () => {
    const resumed = new Promise<unknown>((resolve) => {
      answer = ({ method, headers }, response) => {
        if (method === 'GET') resolve(headers['last-event-id']);
        streamed(response);
        if (method !== 'GET') setTimeout(() => response.destroy(), 20);
      };
    });
    await transport.send(REQUEST);
    expect(await resumed).toBe('event-1');
  });

  it('ends the exchange of a cancelled request and does not resume its stream', async () => {
    const left = new Promise<void>((resolve) => {
      answer = (_, response) => {
        response.on('close', resolve);
        streamed(response);
      };
    });
    await transport.send(REQUEST);
    // The stream can be resumed once its first event has been read.
    await delay(50);
    await transport.send(CANCELLED);
    await left;
    await delay(RESUMED_MS);
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });
});
