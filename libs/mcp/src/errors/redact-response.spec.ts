import type { Endpoint } from '../connection/credentials.js';
import { redactResponse } from './redact-response.js';

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

describe('withoutCredentials', () => {
  const http: Endpoint = {
    url: new URL('https://crm.example.com/mcp'),
    headers: { Authorization: 'Bearer s3cr"t-token-1', 'x-tenant': 'acme-corporation', 'x-api-key': 'short' },
    allow: [],
  };
  const child: Endpoint = {
    command: 'server',
    args: [],
    env: { API_TOKEN: 'tok-123456789', MEMORY_FILE_PATH: '/data/memory.json' },
  };

  it.each([
    ['you sent Bearer s3cr"t-token-1', 'you sent Bearer [removed]'],
    ['s3cr"t-token-1 and s3cr"t-token-1', '[removed] and [removed]'],
    ['acme-corporation, short', 'acme-corporation, short'],
  ])('makes of %j over HTTP %j', (said, read) => {
    expect(redactResponse(text(said), http)).toEqual(text(read));
  });

  it('strikes them out of structured content and of resources, and leaves everything else as it is', () => {
    const answer = {
      content: [{ type: 'resource' as const, resource: { uri: 'a://b', text: 'tok-123456789' } }],
      structured: { path: '/data/memory.json', deep: [{ token: 'tok-123456789', n: 1.5, none: null }] },
      isError: true,
    };
    expect(redactResponse(answer, child)).toEqual({
      content: [{ type: 'resource', resource: { uri: 'a://b', text: '[removed]' } }],
      structured: { path: '/data/memory.json', deep: [{ token: '[removed]', n: 1.5, none: null }] },
      isError: true,
    });
  });

  it('does not touch an answer without any', () => {
    const answer = text('/data/memory.json');
    expect(redactResponse(answer, child)).toBe(answer);
  });
});
