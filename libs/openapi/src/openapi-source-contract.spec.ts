import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeToolSource } from '@tool-search/core/testing';
import { OpenApiSource } from './index.js';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example.com' }],
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        summary: 'Read a pet.',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
    '/refused': { post: { operationId: 'refuse', summary: 'Is refused.' } },
  },
};

describeToolSource(
  'OpenApiSource',
  async () => {
    const api = createServer(({ url }, response) => {
      const isPet = url?.startsWith('/pets/') ?? false;
      response.writeHead(isPet ? 200 : 409, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isPet ? { id: url?.slice(6) } : { message: 'not now' }));
    }).listen(0, '127.0.0.1');
    await once(api, 'listening');
    const baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    return {
      source: new OpenApiSource({ name: 'pets', document: DOCUMENT, baseUrl }),
      works: { name: 'get_pet', input: { id: '7' } },
      fails: { name: 'refuse', input: {} },
      close: async () => {
        api.closeAllConnections();
        if (api.listening) await new Promise((resolve) => api.close(resolve));
      },
    };
  },
  { watches: false },
);
