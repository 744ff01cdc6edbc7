import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import {
  codeOf,
  initialize,
  legacy,
  LEGACY_VERSION,
  modern,
  open,
  send,
  WireCaller,
  type WireRequest,
} from './support/wire.js';

/*
 * Clients carry the state of a question between two requests, or answer a question on a stream. Whatever else than the
 * genuine answer arrives, no call runs, and the genuine answer still counts, once.
 */

const FORMS = { elicitation: { form: {} } };
const YES = { action: 'accept', content: { confirm: true } };
const NO = { action: 'decline' };
const CALL = { name: 'shop__refund', arguments: { order: 1 } };

/** How a request with the state of a question differs from the genuine one. */
interface Forgery extends Pick<WireRequest, 'token' | 'path'> {
  readonly params?: object;
}

/** Forged requests by what is forged. */
const STATES: readonly (readonly [string, (state: string) => Forgery])[] = [
  ['a state with another signature', (state) => ({ params: { requestState: turned(state, -3) } })],
  ['a state with another content', (state) => ({ params: { requestState: turned(state, 9) } })],
  ['a state that was cut', (state) => ({ params: { requestState: state.slice(0, -1) } })],
  ['a state that goes on', (state) => ({ params: { requestState: `${state}A` } })],
  ['a state twice', (state) => ({ params: { requestState: `${state}${state}` } })],
  [
    'a state that is made up',
    () => ({ params: { requestState: Buffer.from('{"kind":"confirm"}').toString('base64url') } }),
  ],
  ['a state of 50,000 characters', () => ({ params: { requestState: 'x'.repeat(50_000) } })],
  ['the state of another user', () => ({ token: 'acme.eve' })],
  ['the state of another tenant', () => ({ token: 'globex.ann' })],
  ['the state of another URL', () => ({ path: '/mcp/p/copy' })],
  ['the state of another tool', () => ({ params: { name: 'shop__stock' } })],
  ['the state of other arguments', () => ({ params: { arguments: { order: 2 } } })],
  ['the state of fewer arguments', () => ({ params: { arguments: {} } })],
];

/** States of another type, which no client sends. */
const TYPES: readonly (readonly [string, unknown])[] = [
  ['a number', 7],
  ['a list', ['x']],
  ['an object', { kind: 'confirm' }],
];

function turned(state: string, at: number): string {
  const index = at < 0 ? state.length + at : at;
  return `${state.slice(0, index)}${state[index] === 'A' ? 'B' : 'A'}${state.slice(index + 1)}`;
}

describe.each(ADAPTERS)('forged answers on %s', (adapter) => {
  let gateway: GatewayApp;
  const ran = () => gateway.shop.calls.length;

  beforeAll(async () => {
    gateway = await startGatewayApp(adapter, {
      gateway: { confirm: { tools: ['shop.refund', 'shop.stock'] }, profiles: { copy: { exposure: 'all' } } },
    });
  });
  afterAll(() => gateway.app.close());

  describe('of a modern client', () => {
    const ask = async (params: object = {}, { token = 'acme.ann', path = '/mcp/all' }: Forgery = {}) => {
      const request = modern('tools/call', { ...CALL, ...params }, FORMS);
      return (await send(gateway.url, { ...request, token, path })).message;
    };
    const answer = (requestState: unknown) => ({ requestState, inputResponses: { confirm: YES } });

    it.each(STATES)('%s', async (_, forge) => {
      const { requestState } = (await ask()).result;
      const before = ran();
      const { params, ...by } = forge(requestState);
      expect((await ask({ ...answer(requestState), ...params }, by)).error).toMatchObject({
        code: -32602,
        data: { reason: 'invalid_request_state' },
      });
      expect(ran()).toBe(before);
      expect((await ask(answer(requestState))).result.structuredContent).toEqual({ refunded: true });
      expect((await ask(answer(requestState))).error).toMatchObject({ code: -32602 });
      expect(ran()).toBe(before + 1);
    });

    it.each(TYPES)('a state that is %s', async (_, state) => {
      const before = ran();
      expect((await ask(answer(state))).error).toMatchObject({ code: -32602 });
      expect(ran()).toBe(before);
    });

    it('answers without a state, with null for one, or to another question', async () => {
      const before = ran();
      const { requestState } = (await ask()).result;
      const responses: readonly object[] = [
        { inputResponses: { confirm: YES } },
        { requestState: null, inputResponses: { confirm: YES } },
        { requestState, inputResponses: { other: YES } },
      ];
      for (const more of responses) expect((await ask(more)).result.resultType).toBe('input_required');
      expect(ran()).toBe(before);
    });
  });

  describe('of a legacy client', () => {
    async function beginSession(token = 'acme.ann'): Promise<string> {
      const { headers } = await send(gateway.url, { ...initialize(LEGACY_VERSION, FORMS), token, path: '/mcp/all' });
      return String(headers['mcp-session-id']);
    }
    const answer = (session: string, id: unknown, result: object, token = 'acme.ann') =>
      send(gateway.url, {
        headers: legacy('', {}, session).headers ?? {},
        token,
        path: '/mcp/all',
        body: { jsonrpc: '2.0', id, result },
      });

    it('a state that was used, or made up, in the parameters of a session', async () => {
      const caller = await WireCaller.of(gateway.url, 'legacy', { path: '/mcp/all' });
      const more = { path: '/mcp/all' };
      const first = await send(gateway.url, { ...modern('tools/call', CALL, FORMS), ...more });
      const used = { requestState: first.message.result.requestState, inputResponses: { confirm: YES } };
      await send(gateway.url, { ...modern('tools/call', { ...CALL, ...used }, FORMS), ...more });
      const before = ran();
      for (const requestState of [used.requestState, 'made up']) {
        const message = await caller.ask('tools/call', { ...CALL, ...used, requestState });
        expect(message.error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } });
      }
      expect(codeOf(await caller.ask('tools/call', { ...CALL, inputResponses: used.inputResponses }))).toBe(
        'CONFIRMATION_REQUIRED',
      );
      expect(ran()).toBe(before);
    });

    it.each([
      ['another user in the session', 404, (id: unknown, own: string) => answer(own, id, YES, 'acme.eve')],
      ['another tenant in the session', 404, (id: unknown, own: string) => answer(own, id, YES, 'globex.ann')],
      ['another user', 202, async (id: unknown) => answer(await beginSession('acme.eve'), id, YES, 'acme.eve')],
      ['the same user in another session', 202, async (id: unknown) => answer(await beginSession(), id, YES)],
      ['a forged session', 404, (id: unknown) => answer('00000000-0000-4000-8000-000000000000', id, YES)],
      ['nobody who was asked', 202, (id: unknown, own: string) => answer(own, `${String(id)}9`, YES)],
    ])('an answer of %s', async (_, status, forge) => {
      const session = await beginSession();
      const before = ran();
      const stream = await open(gateway.url, { ...legacy('tools/call', CALL, session), path: '/mcp/all' });
      const [{ id }] = await stream.arrived(1);
      expect((await forge(id, session)).status).toBe(status);
      // The genuine answer is no: if the forged yes counted, however late, the call would run.
      await answer(session, id, NO);
      expect(codeOf((await stream.ended).message)).toBe('CONFIRMATION_REFUSED');
      // A second answer runs nothing.
      await answer(session, id, YES);
      expect(ran()).toBe(before);
    });

    it.each([
      ['a yes without its box', { action: 'accept', content: {} }],
      ['a yes with a text in its box', { action: 'accept', content: { confirm: 'true' } }],
      ['a yes with no in its box', { action: 'accept', content: { confirm: false } }],
      ['a no with yes in its box', { action: 'decline', content: { confirm: true } }],
      ['an action that is unknown', { action: 'approve', content: { confirm: true } }],
      ['no answer', {}],
    ])('%s', async (_, result) => {
      const session = await beginSession();
      const before = ran();
      const stream = await open(gateway.url, { ...legacy('tools/call', CALL, session), path: '/mcp/all' });
      const [{ id }] = await stream.arrived(1);
      await answer(session, id, result);
      const { message } = await stream.ended;
      expect(message.result?.isError ?? message.error !== undefined).toBe(true);
      expect(ran()).toBe(before);
    });
  });
});
