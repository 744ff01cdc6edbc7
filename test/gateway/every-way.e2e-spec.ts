import fc from 'fast-check';
import {
  nameOf,
  setting,
  type Setting,
  type Step,
  stepFor,
  WAYS,
  type Way,
} from '../../libs/core/test/world-scenes.js';
import { type Era, ERAS, initialize, legacy, modern, send, WireCaller, type WireRequest } from './support/wire.js';
import { enter, startWorld, type World } from './support/worlds.js';

/*
 * Every way in which the library hides a tool X, over the wire. Two applications stay up while the worlds change: in the
 * first the caller may not have X, in the second X does not exist. The same requests must give the same bytes.
 */

const PATHS = ['/mcp', '/mcp/all', '/mcp/p/few'];

type Message = readonly [method: string, params: object];
const call = (name: string, input: object): Message => ['tools/call', { name, arguments: input }];
const GREETING: Message = ['greet', {}];

/** The requests in which a client takes a step. */
function messagesOf(step: Step): readonly Message[] {
  switch (step.do) {
    case 'list':
    case 'visible':
      return [['tools/list', {}]];
    case 'surface':
      return [GREETING];
    case 'search':
      return [call('tool_search', step.request)];
    case 'get':
      return [call('tool_get', { names: step.names })];
    case 'activate':
      return [call('tool_load', { names: step.names })];
    case 'call':
      return [
        call(step.name, step.input),
        call(step.name.replaceAll('.', '__'), step.input),
        call('tool_call', { name: step.name, arguments: step.input }),
      ];
  }
}

/** The same message for both applications, whose sessions differ. */
function requestOf([method, params]: Message, { era, session }: WireCaller, common: object): WireRequest {
  if (method === 'greet') {
    const greeting = era === 'modern' ? modern('server/discover') : initialize();
    return { ...greeting, ...common, body: { ...(greeting.body as object), id: 7 } };
  }
  const request = era === 'modern' ? modern(method, params) : legacy(method, params, session);
  return { ...request, ...common, body: { ...(request.body as object), id: 7 } };
}

let turns = 0;

/** Steps through two worlds that look for an X of its own, so that no earlier world has seen it. */
const sceneOf = (way: Way): fc.Arbitrary<{ readonly of: Setting; readonly steps: readonly Step[] }> =>
  setting
    .map((of): Setting => ({ ...of, x: { ...of.x, name: `${way.split(':')[0]!.toLowerCase()}_${of.x.name}_1` } }))
    .chain((of) => fc.record({ of: fc.constant(of), steps: fc.array(stepFor(of), { minLength: 2, maxLength: 4 }) }));

describe('two applications, one with a tool that the caller may not have', () => {
  let restricted: World;
  let absent: World;
  beforeAll(async () => {
    // On two adapters, which must not differ either.
    [restricted, absent] = [await startWorld('express'), await startWorld('fastify')];
  });
  afterAll(() => Promise.all([restricted, absent].map(({ gateway }) => gateway.app.close())));

  /** Asks both applications the same. Returns how many answers name a tool. */
  async function compare(of: Setting, way: Way, steps: readonly Step[], era: Era, path: string): Promise<number> {
    const x = { ...of.x, name: `${of.x.name}${++turns}` };
    const renamed = JSON.parse(JSON.stringify(steps).replaceAll(of.x.name, x.name)) as readonly Step[];
    const world = { ...of, x };
    const leave = [await enter(restricted, world, way), await enter(absent, world, 'absent')];
    const token = `acme.user${turns}`;
    const common = { token, path };
    const callers = await Promise.all(
      [restricted, absent].map(({ gateway }) => WireCaller.of(gateway.url, era, common)),
    );
    // Another tenant, which may have X in some of the worlds, uses it before.
    for (const { gateway } of [restricted, absent]) {
      const neighbour = await WireCaller.of(gateway.url, 'modern', { token: 'globex.bob' });
      await neighbour.call('tool_search', { query: x.name });
      await neighbour.call('tool_call', { name: nameOf(x), arguments: {} });
    }
    const ask = async (message: Message, caller: WireCaller, as: object = common) => {
      const { status, text } = await send(caller.url, requestOf(message, caller, as));
      return `${status} ${text}`;
    };
    const cursor = Buffer.from(`1 ${x.source}__${x.name}`).toString('base64url');
    const listed: Message = ['tools/list', {}];
    const search = call('tool_search', { query: of.pool[0]!.name.replaceAll('_', ' ') });
    const messages = [listed, search, ...renamed.flatMap(messagesOf), ['tools/list', { cursor }] as Message, GREETING];
    let found = 0;
    let before = '';
    for (const message of messages) {
      const [one, other] = await Promise.all(callers.map((caller) => ask(message, caller)));
      expect([way, era, path, message, one]).toEqual([way, era, path, message, other]);
      before ||= one!;
      found += Number(of.pool.some(({ name }) => other!.includes(name)));
    }
    const [caller] = callers as [WireCaller];
    // Hidden is unknown, in the same application too.
    for (const through of [(name: string) => call(name, {}), (name: string) => call('tool_call', { name })]) {
      expect(await ask(through(nameOf(x)), caller)).toBe(await ask(through(`${x.source}.no_such`), caller));
    }
    // Equal rights give equal lists, where neither has used a tool yet.
    const equal = await WireCaller.of(caller.url, era, { path, token: `${token}b` });
    expect(await ask(listed, equal, { path, token: `${token}b` })).toBe(before);
    await Promise.all(leave.map((end) => end()));
    return found;
  }

  const pathsOf = (way: Way): readonly string[] =>
    ({ narrowed: ['/mcp/p/few'], narrowedByFilter: ['/mcp/p/tagged'], narrowedTwice: ['/mcp/p/allowed'] })[
      way as string
    ] ?? PATHS;

  it.each(WAYS)('answer alike to the byte: %s', async (way) => {
    let found = 0;
    for (const era of ERAS) {
      for (const path of pathsOf(way)) {
        await fc.assert(
          fc.asyncProperty(sceneOf(way), async ({ of, steps }) => {
            found += await compare(of, way, steps, era, path);
          }),
          { numRuns: 1 },
        );
      }
    }
    // The comparison means nothing if no answer ever names a tool.
    expect(found).toBeGreaterThan(2);
  });

  it.each(['throws', 'hangs'] as const)('answer alike to the byte while a visibility policy %s', async (fault) => {
    restricted.fault = absent.fault = fault;
    for (const era of ERAS) {
      for (const path of PATHS) {
        const [scene] = fc.sample(sceneOf('deniedToTenant'), 1);
        // Such a policy hides every tool.
        expect(await compare(scene!.of, 'deniedToTenant', scene!.steps, era, path)).toBe(0);
      }
    }
    restricted.fault = absent.fault = undefined;
  });

  it.each(ERAS)('are told apart by a caller who may have it: %s', async (era) => {
    const [scene] = fc.sample(sceneOf('deniedToTenant'), 1);
    const { of } = scene!;
    // A name of its own: another definition under the name of an earlier world would be held as a changed one.
    const world = { ...of, x: { ...of.x, name: `${of.x.name}${++turns}` } };
    const leave = [await enter(restricted, world, 'deniedToTenant'), await enter(absent, world, 'absent')];
    const lists = await Promise.all(
      [restricted, absent].map(async ({ gateway }) =>
        (await WireCaller.of(gateway.url, era, { token: 'globex.bob', path: '/mcp/all' })).names(),
      ),
    );
    const wire = nameOf(world.x).replaceAll('.', '__');
    expect(lists.map((names) => names.includes(wire))).toEqual([true, false]);
    await Promise.all(leave.map((end) => end()));
  });
});
