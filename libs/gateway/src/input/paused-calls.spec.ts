import type { ServerContext } from '@modelcontextprotocol/server';
import type { GatewayRequest } from '../gateway-request.js';
import { PausedCalls, type PausableParts } from './paused-calls.js';

const MAX = 4;
const QUESTION = {
  method: 'elicitation/create' as const,
  params: { message: 'Sure?', requestedSchema: { type: 'object' as const, properties: {} } },
};

describe('PausedCalls', () => {
  let paused: PausedCalls;
  /** Nonces of the calls, by caller. */
  let nonces: Map<string, string>;
  let aborted: string[];

  beforeEach(() => {
    nonces = new Map();
    aborted = [];
    paused = new PausedCalls({ minted: async (state) => (state as { nonce: string }).nonce }, 60_000, MAX);
  });
  afterEach(() => paused.close());

  /** One request of a caller, whose tenant is what the name begins with. */
  const answer = async (principal: string, nonce?: string) => {
    const request = {
      principal,
      context: { tenantId: principal.split('.')[0], roles: [] },
    } as unknown as GatewayRequest;
    const context = {
      mcpReq: {
        method: 'tools/call',
        signal: new AbortController().signal,
        requestState: () => nonce && { kind: 'input', nonce },
        inputResponses: nonce && { sure: { action: 'accept', content: {} } },
      },
    } as unknown as ServerContext;
    const run = async ({ input, signal }: PausableParts) => {
      signal.addEventListener('abort', () => aborted.push(principal));
      await input.ask({ sure: QUESTION });
      return 'done';
    };
    return paused.answer(request, { context, capabilities: { elicitation: { form: {} } } }, principal, run);
  };
  const begin = async (principal: string) => {
    const round = await answer(principal);
    nonces.set(principal, (round as { requestState: string }).requestState);
  };
  const goOn = (principal: string) => answer(principal, nonces.get(principal));

  it('go on with the answers of their own caller only', async () => {
    await begin('acme.ann');
    nonces.set('acme.bob', nonces.get('acme.ann')!).set('globex.gus', nonces.get('acme.ann')!);
    for (const other of ['acme.bob', 'globex.gus']) await expect(goOn(other)).rejects.toThrow('requestState');
    expect(await goOn('acme.ann')).toBe('done');
    await expect(goOn('acme.ann')).rejects.toThrow('requestState');
  });

  it('give way in a full process: the oldest of the tenant that has most ends, and no other call is refused', async () => {
    await begin('globex.gus');
    for (let n = 0; n < 20; n++) await begin(`acme.${n}`);
    await begin('globex.gil');
    expect(aborted).toEqual(Array.from({ length: 18 }, (_, n) => `acme.${n}`));
    for (const caller of ['globex.gus', 'globex.gil', 'acme.18', 'acme.19']) expect(await goOn(caller)).toBe('done');
    await expect(goOn('acme.17')).rejects.toThrow('requestState');
  });

  it('refuse a caller who has too many, and no other', async () => {
    const roomy = new PausedCalls({ minted: async () => 'state' }, 60_000);
    paused.close();
    paused = roomy;
    for (let n = 0; n < 16; n++) await begin('acme.ann');
    await expect(begin('acme.ann')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await begin('acme.bob');
    expect(aborted).toEqual(['acme.ann']);
  });
});
