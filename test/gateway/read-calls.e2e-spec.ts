import { FakeSource } from '@tool-search/core/testing';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { codeOf, ERAS, WireCaller, wholeAnswer } from './support/wire.js';

const CASES = ADAPTERS.flatMap((adapter) => ERAS.map((era) => ({ adapter, era })));
const BRIDGE = ['tool_call', 'tool_get', 'tool_search'];
const WITH_READS = ['tool_call', 'tool_call_read', 'tool_get', 'tool_search'];

describe.each(CASES)('a bridge with a tool for reads, for a $era client on $adapter', ({ adapter, era }) => {
  let gateway: GatewayApp;
  const ran: string[] = [];
  const crm = new FakeSource('crm', [
    { name: 'find', sideEffects: 'read', aliases: ['crm.look'], run: () => ran.push('find') && 'found' },
    { name: 'add', sideEffects: 'pure', run: () => ran.push('add') && '3' },
    ...(['write', 'external', 'stateful'] as const).map((sideEffects) => ({
      name: sideEffects,
      sideEffects,
      run: () => ran.push(sideEffects) && 'done',
    })),
    { name: 'secret', sideEffects: 'read', tags: ['confirm'], run: () => ran.push('secret') && 'told' },
  ]);

  beforeAll(async () => {
    gateway = await startGatewayApp(adapter, {
      gateway: { readCalls: ['careful'], profiles: { careful: { allow: ['crm.*'] }, plain: { allow: ['crm.*'] } } },
      options: { sources: [crm], policy: { deny: ['crm.stateful'] }, activation: { activateOn: 'load' } },
    });
  });
  afterAll(() => gateway.app.close());
  beforeEach(() => void ran.splice(0));

  const caller = (path = '/mcp/p/careful', token = 'acme.ann') => WireCaller.of(gateway.url, era, { path, token });
  const read = async (name: string, way = 'tool_call_read') => (await caller()).call(way, { name, arguments: {} });

  it('is listed where the options say so, with hints that tell reads from other calls', async () => {
    const { result } = await (await caller()).ask('tools/list');
    const hints = Object.fromEntries(
      result.tools.map(({ name, annotations }: { name: string; annotations: object }) => [name, annotations]),
    );
    expect(Object.keys(hints)).toEqual(WITH_READS);
    expect(hints['tool_call_read']).toEqual({ readOnlyHint: true });
    expect(hints['tool_call']).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    for (const path of ['/mcp', '/mcp/p/plain']) {
      expect((await (await caller(path)).names()).filter((name) => name.startsWith('tool_'))).toEqual(BRIDGE);
    }
  });

  it.each([
    ['crm.find', 'found'],
    ['crm.look', 'found'],
    ['crm.add', '3'],
  ])('calls %s, which changes nothing', async (name, text) => {
    expect((await read(name)).result).toMatchObject({ content: [{ text }] });
  });

  it.each(['crm.write', 'crm.external'])('refuses %s, which runs through tool_call', async (name) => {
    const activated = () => gateway.events.filter(({ type }) => type === 'tool.activated').length;
    const before = activated();
    const answer = await read(name);
    expect(codeOf(answer)).toBe('INVALID_ARGUMENTS');
    expect(answer.result.content[0].text).toContain('Call it with tool_call.');
    expect(ran).toEqual([]);
    expect(activated()).toBe(before);
    expect(codeOf(await read(name, 'tool_call'))).toBe('ok');
  });

  it('refuses the meta tool that loads tools, and calls those that read', async () => {
    const own = await caller();
    const inside = (name: string, args: object, way = 'tool_call_read') => own.call(way, { name, arguments: args });
    const load = { names: ['crm.find'] };
    const activated = () => gateway.events.filter(({ type }) => type === 'tool.activated').length;
    const before = activated();
    expect(codeOf(await inside('tool_load', load))).toBe('INVALID_ARGUMENTS');
    expect(activated()).toBe(before);
    expect(codeOf(await inside('tool_load', load, 'tool_call'))).toBe('ok');
    expect(codeOf(await inside('tool_search', { query: 'find' }))).toBe('ok');
    expect(codeOf(await inside('tool_call', { name: 'crm.write' }))).toBe('INVALID_ARGUMENTS');
    expect(ran).toEqual([]);
  });

  it('answers of a hidden tool what it answers of an unknown one, byte for byte', async () => {
    const own = await caller();
    const answer = (name: string) =>
      wholeAnswer(gateway.url, own.request('tools/call', { name: 'tool_call_read', arguments: { name } }));
    const bare = (text: string) => text.replaceAll(/"id":\d+/g, '"id":0');
    expect(bare(await answer('crm.stateful'))).toBe(bare(await answer('crm.nothing_')));
  });

  it('asks its user where a read needs a confirmation', async () => {
    expect(codeOf(await read('crm.secret'))).toBe('CONFIRMATION_REQUIRED');
    expect(ran).toEqual([]);
  });

  it('is unknown where it is not listed', async () => {
    const answer = await (await caller('/mcp/p/plain')).call('tool_call_read', { name: 'crm.find', arguments: {} });
    expect(answer.error.code).toBe(-32602);
    expect(ran).toEqual([]);
  });
});

it('the tool for reads asks nobody to approve a call that it refuses', async () => {
  const crm = new FakeSource('crm', [{ name: 'write', sideEffects: 'write' }]);
  const approval = [{ tools: 'crm.write', scope: 'session' }] as const;
  const gateway = await startGatewayApp('express', {
    gateway: { readCalls: true },
    options: { sources: [crm], policy: { approval } },
  });
  const caller = await WireCaller.of(gateway.url, 'modern', { token: 'acme.ann' });
  const asked = () => gateway.events.filter(({ type }) => type === 'approval.asked').length;
  expect(codeOf(await caller.call('tool_call_read', { name: 'crm.write' }))).toBe('INVALID_ARGUMENTS');
  expect(asked()).toBe(0);
  expect(codeOf(await caller.call('tool_call', { name: 'crm.write' }))).toBe('APPROVAL_REQUIRED');
  expect(asked()).toBe(1);
  await gateway.app.close();
});

it('no source can have a tool of this name', async () => {
  const root = new FakeSource('', [{ name: 'tool_call_read', run: () => 'mine' }]);
  const gateway = await startGatewayApp('express', { gateway: { readCalls: true }, options: { sources: [root] } });
  const caller = await WireCaller.of(gateway.url, 'modern');
  const { result } = await caller.call('tool_call_read', { name: 'shop.ping', arguments: {} });
  expect(result.content[0].text).toBe('pong');
  await gateway.app.close();
});

describe('a meta tool of the name that the tool for reads would have', () => {
  const LONG = `${'c'.repeat(59)}_read`;
  const started = (metaTools: object, readCalls: boolean | string[]) =>
    startGatewayApp('express', {
      gateway: { readCalls, profiles: { careful: { allow: ['*'] } } },
      options: { exposure: { metaTools } },
    });

  it.each([
    ['of another meta tool', { call: 'run', get: 'run_read' }, 'run_read', true],
    ['of another meta tool, at a profile', { call: 'run', get: 'run_read' }, 'run_read', ['careful']],
    ['of the tool that calls, which is too long for another', { call: LONG }, LONG, true],
  ])('fails the boot: the name %s', async (_, metaTools, name, readCalls) => {
    await expect(started(metaTools, readCalls)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining(name),
    });
  });

  it('is no fault where there is no tool for reads', async () => {
    const { app } = await started({ call: 'run', get: 'run_read' }, false);
    await app.close();
  });
});
