import fc from 'fast-check';
import { nameOf, setting, type Setting, type Step, stepFor } from '../../libs/core/test/world-scenes.js';
import { byTurns, isFull, seed as tierSeed } from '../support/tier.cjs';
import { ADAPTERS } from './support/gateway-app.js';
import { type Era, ERAS, open, wholeAnswer, WireCaller, type WireStream } from './support/wire.js';
import {
  call,
  CAPABILITIES,
  GREETING,
  LISTED,
  type Message,
  pageAfter,
  probesFor,
  requestOf,
} from './support/world-probes.js';
import { enter, startWorld, WIRE_WAYS, type WireWay, type World } from './support/worlds.js';

/*
 * The law over the wire: hidden is unknown. Two applications stay up while the worlds change: in the first the caller may
 * not have a tool X, for every reason that the library knows, in the second X does not exist. The same requests must have
 * the same answers, byte for byte, headers included.
 */

const PATHS = ['/mcp', '/mcp/all', '/mcp/p/few'];

/** The requests in which a client takes a step. */
function messagesOf(step: Step): readonly Message[] {
  switch (step.do) {
    case 'list':
    case 'visible':
      return [LISTED];
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

let turns = 0;
let draws = 0;

/** All eras, or in the quick tier one, by turns. */
const erasOf = (index: number): readonly Era[] => (isFull ? ERAS : [ERAS[index % ERAS.length]!]);
/** All paths, or in the quick tier the one that gets every probe, by turns. */
const pathsAt = (paths: readonly string[], probed: number): readonly string[] => (isFull ? paths : [paths[probed]!]);

interface Scene {
  readonly of: Setting;
  readonly steps: readonly Step[];
  /** With which fast-check draws it again. */
  readonly seed: number;
}

/**
 * Steps through two worlds that look for an X of its own, so that no earlier world has seen it. Some X need an approval and
 * have a limit, some a confirmation.
 */
function sceneOf(way: WireWay): fc.Arbitrary<Omit<Scene, 'seed'>> {
  const prefix = way.split(':')[0]!.toLowerCase();
  return fc
    .tuple(setting, fc.constantFrom('', 'asked_'), fc.subarray(['confirm']))
    .map(([{ x, ...of }, asked, tags]): Setting => {
      const name = `${prefix}_${asked}${x.name}_1${++turns}`;
      return { ...of, x: { ...x, name, tags: [...(x.tags ?? []), ...tags] } };
    })
    .chain((of) => fc.record({ of: fc.constant(of), steps: fc.array(stepFor(of), { minLength: 2, maxLength: 4 }) }));
}

function drawn(way: WireWay): Scene {
  const seed = (tierSeed + ++draws) % 2 ** 31;
  return { ...fc.sample(sceneOf(way), { numRuns: 1, seed })[0]!, seed };
}

describe('two applications, one with a tool that the caller may not have', () => {
  let worlds: readonly [World, World];
  beforeAll(async () => {
    // On two adapters, which must not differ either.
    worlds = [await startWorld('express'), await startWorld('fastify')];
  });
  afterEach(() => {
    for (const world of worlds) world.fault = undefined;
  });
  afterAll(() => Promise.all(worlds.map(({ gateway }) => gateway.app.close())));

  /** The application that hides X, and the one without it. They change places, so that each adapter hides it. */
  const placed = (isTurned: boolean): readonly [World, World] => (isTurned ? [worlds[1], worlds[0]] : worlds);

  /** Asks both applications the same. Returns how many answers name a tool that is in both. */
  async function compare(
    { of, steps, seed }: Scene,
    way: WireWay,
    { era, path, isTurned }: { readonly era: Era; readonly path: string; readonly isTurned: boolean },
    probes: readonly Message[] = [],
  ): Promise<number> {
    const [restricted, absent] = placed(isTurned);
    const leave = [await enter(restricted, of, way), await enter(absent, of, 'absent')];
    const both = [restricted, absent].map(({ gateway }) => gateway.url);
    const common = { token: `acme.user${++turns}`, path };
    const callers = await Promise.all(both.map((url) => WireCaller.of(url, era, common, CAPABILITIES)));
    // Another tenant, which may have X in some of the worlds, uses it before.
    for (const url of both) {
      const neighbour = await WireCaller.of(url, 'modern', { token: 'globex.bob' });
      await neighbour.call('tool_search', { query: of.x.name });
      await neighbour.call('tool_call', { name: nameOf(of.x), arguments: {} });
    }
    const ask = (message: Message, caller: WireCaller, as: object = common) =>
      wholeAnswer(caller.url, requestOf(message, caller, as));
    let found = 0;
    const askBoth = async (message: Message) => {
      const [one, other] = await Promise.all(callers.map((caller) => ask(message, caller)));
      expect([way, era, path, seed, message, one]).toEqual([way, era, path, seed, message, other]);
      // An answer may repeat a name of X, which may contain the name of another tool.
      const told = other!.replaceAll(of.x.name, '');
      found += Number(of.pool.some(({ name }) => told.includes(name)));
      return other!;
    };
    const before = await askBoth(LISTED);
    // Every page, so that numbers and ends of pages are compared too.
    for (let page = before; ;) {
      const cursor = /"nextCursor":"([^"]+)"/.exec(page)?.[1];
      if (cursor === undefined) break;
      page = await askBoth(['tools/list', { cursor }]);
    }
    await askBoth(call('tool_search', { query: of.pool[0]!.name.replaceAll('_', ' ') }));
    for (const message of [...steps.flatMap(messagesOf), ...probes]) await askBoth(message);
    await askBoth(pageAfter(nameOf(of.x).replaceAll('.', '__')));
    await askBoth(GREETING);
    const [caller] = callers as [WireCaller];
    // Hidden is unknown, in the same application too. The names have one length, and answers may repeat them.
    const unknown = `${of.x.source}.${'q'.repeat(of.x.name.length)}`;
    for (const through of [
      (name: string) => call(name, {}),
      (name: string) => call('tool_call', { name }),
      (name: string) => call('tool_call', { name, arguments: { a: [1] } }),
      (name: string) => call('tool_get', { names: [name] }),
      (name: string) => call('tool_get', { names: [name, nameOf(of.pool[0]!)] }),
    ]) {
      const [hidden, missing] = [await ask(through(nameOf(of.x)), caller), await ask(through(unknown), caller)];
      expect(hidden.replaceAll(nameOf(of.x), unknown)).toBe(missing);
    }
    // Equal rights give equal lists, where neither has used a tool yet.
    const equal = { ...common, token: `${common.token}b` };
    expect(await ask(LISTED, await WireCaller.of(caller.url, era, equal), equal)).toBe(before);
    await Promise.all(leave.map((end) => end()));
    return found;
  }

  const pathsOf = (way: WireWay): readonly string[] =>
    ({
      narrowed: ['/mcp/p/few'],
      narrowedByFilter: ['/mcp/p/tagged'],
      narrowedTwice: ['/mcp/p/allowed'],
      narrowedByOperators: ['/mcp/p/open'],
    })[way as string] ?? PATHS;

  it.each(WIRE_WAYS.map((way, index) => ({ way, index })))('answer alike to the byte: $way', async ({ way, index }) => {
    let found = 0;
    const paths = pathsOf(way);
    for (const [turn, era] of erasOf(index).entries()) {
      // All that a client can ask at one of the paths, and a few steps at each.
      const probed = (index + turn) % paths.length;
      for (const [at, path] of pathsAt(paths, probed).entries()) {
        const scene = drawn(way);
        // In the quick tier, every fourth way sends the same probes.
        const probes = path === paths[probed] ? byTurns(probesFor(scene.of), index, 4) : [];
        found += await compare(scene, way, { era, path, isTurned: (index + turn + at) % 2 === 1 }, probes);
      }
    }
    // The comparison means nothing if no answer ever names a tool.
    expect(found).toBeGreaterThan((isFull ? 10 : 1) * erasOf(index).length);
  });

  it.each(['throws', 'hangs'] as const)('answer alike to the byte while a visibility policy %s', async (fault) => {
    for (const world of worlds) world.fault = fault;
    for (const [turn, era] of ERAS.entries()) {
      for (const [at, path] of pathsAt(PATHS, turn).entries()) {
        // Such a policy hides every tool.
        const where = { era, path, isTurned: at === 1 };
        expect(await compare(drawn('deniedToTenant'), 'deniedToTenant', where)).toBe(0);
      }
    }
  });

  /** Opens the stream on which a caller hears of changes of the list. */
  const listen = (caller: WireCaller, path: string, token: string) => {
    const listening: Message = ['subscriptions/listen', { notifications: { toolsListChanged: true } }];
    const accept = { headers: { accept: 'text/event-stream' }, method: 'GET', body: undefined };
    const message: Message = caller.era === 'modern' ? listening : ['', {}, accept];
    return open(caller.url, requestOf(message, caller, { path, token }));
  };

  // A tool that was there and is withdrawn, or changed, was seen before.
  const NEVER_SEEN = WIRE_WAYS.filter((way) => way !== 'withdrawn' && way !== 'changed');
  it.each(NEVER_SEEN.map((way, index) => ({ way, index })))(
    'say nothing on a stream when the tool comes: $way',
    async ({ way, index }) => {
      const paths = pathsOf(way);
      const path = paths[index % paths.length]!;
      for (const [turn, era] of erasOf(index).entries()) {
        const { of } = drawn(way);
        const [restricted, absent] = placed((index + turn) % 2 === 1);
        const token = `acme.user${++turns}`;
        for (const world of worlds) await enter(world, of, 'absent');
        const listenBoth = (as: string, at: string) =>
          Promise.all(
            [restricted, absent].map(async ({ gateway }) =>
              listen(await WireCaller.of(gateway.url, era, { path: at, token: as }), at, as),
            ),
          );
        const streams = await listenBoth(token, path);
        const witnesses = await listenBoth('globex.bob', '/mcp/all');
        const begun = era === 'modern' ? 1 : 0;
        const heard = (count: number, by: readonly WireStream[]) =>
          Promise.all(by.map((stream) => stream.arrived(begun + count)));
        await heard(0, [...streams, ...witnesses]);
        // With X comes a tool that another tenant sees, whose streams tell when all streams have been compared.
        const seen = { ...of.pool[0]!, name: `hidden_witness_${turns}`, aliases: [] };
        const both = { ...of, pool: [...of.pool, seen] };
        const leave = [await enter(restricted, both, way), await enter(absent, both, 'absent')];
        await heard(1, witnesses);
        expect(streams.map(({ messages }) => messages.length)).toEqual([begun, begun]);
        // The next change that the caller sees is the first that is told.
        const turnOn = await Promise.all(worlds.map(({ gateway }) => gateway.turnOff(nameOf(of.pool[0]!))));
        await heard(1, streams);
        await Promise.all(turnOn.map((turn) => turn()));
        await heard(2, streams);
        const [one, other] = streams.map(({ messages }) => JSON.stringify(messages));
        expect(one).toBe(other);
        expect(streams[0]!.messages).toHaveLength(begun + 2);
        for (const stream of witnesses) stream.close();
        for (const stream of streams) stream.close();
        await Promise.all(leave.map((end) => end()));
      }
    },
  );

  it.each(ERAS)('are distinguished by a caller who may use the tool: %s', async (era) => {
    const { of } = drawn('deniedToTenant');
    const leave = [await enter(worlds[0], of, 'deniedToTenant'), await enter(worlds[1], of, 'absent')];
    const lists = await Promise.all(
      worlds.map(async ({ gateway }) =>
        (await WireCaller.of(gateway.url, era, { token: 'globex.bob', path: '/mcp/all' })).names(),
      ),
    );
    const wire = nameOf(of.x).replaceAll('.', '__');
    expect(lists.map((names) => names.includes(wire))).toEqual([true, false]);
    await Promise.all(leave.map((end) => end()));
  });

  (isFull ? it : it.skip).each(ERAS.flatMap((era) => ADAPTERS.map((adapter, index) => ({ era, adapter, index }))))(
    'take about as long to refuse a hidden name as an unknown one (reported, not asserted): $era on $adapter',
    async ({ era, adapter, index }) => {
      const { of } = drawn('deniedToTenant');
      const leave = await enter(worlds[index]!, of, 'deniedToTenant');
      const common = { token: `acme.user${++turns}`, path: '/mcp' };
      const caller = await WireCaller.of(worlds[index]!.gateway.url, era, common);
      const names = [nameOf(of.x), `${of.x.source}.${'q'.repeat(of.x.name.length)}`];
      for (const [what, through] of [
        ['tool_call', (name: string) => call('tool_call', { name, arguments: {} })],
        ['tools/call', (name: string) => call(name, {})],
        ['tool_get', (name: string) => call('tool_get', { names: [name] })],
      ] as const) {
        const times: number[][] = names.map(() => []);
        const answers = new Set<string>();
        // Interleaved, because the machine is busier at some times than at others.
        for (let n = 0; n < 50; n++) {
          for (const [at, name] of names.entries()) {
            const request = requestOf(through(name), caller, common);
            const begun = performance.now();
            const answer = await wholeAnswer(caller.url, request);
            times[at]!.push(performance.now() - begun);
            answers.add(answer.replaceAll(name, 'X'));
          }
        }
        const [hidden, unknown] = times.map((each) => each.toSorted((a, b) => a - b)[25]!);
        const ratio = (hidden! / unknown!).toFixed(3);
        process.stderr.write(`${adapter}, ${era}, ${what}: hidden ÷ unknown, median: ${ratio}\n`);
        expect(answers.size).toBe(1);
      }
      await leave();
    },
  );
});
