/// <reference types="jest" />
import type { AcceptedTool, DefinitionStore, SourceKey, SourcePins } from '../../catalog/pinning/definition-store.js';
import type { JsonObject } from '../../json/json.js';

const DOCS: SourceKey = { owner: '', source: 'docs' };

const accepted = (tool: string, of: Partial<AcceptedTool> = {}): AcceptedTool => ({
  tool,
  fingerprint: 'f'.repeat(64),
  volatile: ['/inputSchema/properties/day/default'],
  listed: true,
  acceptedAt: 1_800_000_000_000,
  origin: { name: tool, description: `Does ${tool}.` },
  ...of,
});

const pinOf = ({ origin: _origin, ...pin }: AcceptedTool) => pin;

/** Names that a database, an encoding or a query could confuse with another name. */
const ODD_NAMES = [
  'a',
  'A',
  'a ',
  ' a',
  '\u00E1',
  'a\u0301',
  '',
  '"',
  '\\',
  "'; DROP TABLE tool_search_definitions; --",
  '%',
  '_',
  '?',
  '$1',
  '__proto__',
  'constructor',
  'nul\u0000nul',
  'nul',
  'line\nbreak',
  '\u202Eabc',
  '\u{1f9f0}',
  '创建工单',
  '\uD800',
  '\uDC00',
  '\uD800x',
  '\uFFFD',
  '","',
  'x'.repeat(5_000),
  'x'.repeat(5_001),
];

/**
 * The contract of {@link DefinitionStore} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param make creates an empty store, with a function that closes it; called once per test
 */
export function describeDefinitionStore(
  name: string,
  make: () => Promise<{ store: DefinitionStore; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the promises of a definition store`, () => {
    let store: DefinitionStore;
    let made: Awaited<ReturnType<typeof make>>;

    beforeEach(async () => {
      made = await make();
      ({ store } = made);
    }, 300_000);
    afterEach(() => made.close());

    const state = async (key = DOCS): Promise<SourcePins> => {
      const found = await store.pins(key);
      if (found === undefined || found === 'unchanged') throw new Error(`${key.source} is not registered`);
      return { ...found, pins: found.pins.toSorted((a, b) => (a.tool < b.tool ? -1 : 1)) };
    };
    const listed = async (key = DOCS) => {
      const { pins } = await state(key);
      return pins.filter((pin) => pin.listed).map(({ tool }) => tool);
    };
    const originsOf = async (key = DOCS, tools?: readonly string[]) =>
      Object.fromEntries([...(await store.origins(key, tools))].toSorted(([a], [b]) => (a < b ? -1 : 1)));

    describe('registering', () => {
      it('returns undefined for an unregistered source', async () => {
        expect(await store.pins(DOCS)).toBeUndefined();
        expect(await store.pins(DOCS, 1)).toBeUndefined();
        expect(await store.origins(DOCS)).toEqual(new Map());
        expect(await store.origins(DOCS, ['search'])).toEqual(new Map());
        await store.forget(DOCS);
      });

      it('gives back exactly what was registered', async () => {
        const tools = [
          accepted('read', { volatile: [], acceptedAt: 5 }),
          accepted('write', { listed: false, volatile: ['/a~1b/0', '/c~0d'], fingerprint: '0'.repeat(64) }),
        ];
        await store.register(DOCS, tools);
        expect((await state()).pins).toEqual(tools.map(pinOf));
        expect(await originsOf(DOCS, ['read', 'write'])).toEqual({ read: tools[0]?.origin, write: tools[1]?.origin });
      });

      it('distinguishes a source without tools from an unregistered one', async () => {
        await store.register(DOCS, []);
        const { revision, pins } = await state();
        expect(pins).toEqual([]);
        expect(await store.pins(DOCS, revision)).toBe('unchanged');
        expect(await store.origins(DOCS)).toEqual(new Map());
      });

      it('registers once, and ignores later registrations', async () => {
        await store.register(DOCS, [accepted('read')]);
        const before = await state();
        await store.register(DOCS, [accepted('read', { fingerprint: 'e'.repeat(64) }), accepted('delete')]);
        expect(await state()).toEqual(before);
        expect(Object.keys(await originsOf())).toEqual(['read']);
      });

      it('lets one of many win that register at once, as a whole', async () => {
        const tools = (index: number) =>
          Array.from({ length: 5 }, (_, tool) => accepted(`i${index}.t${tool}`, { acceptedAt: index }));
        await Promise.all(Array.from({ length: 8 }, (_, index) => store.register(DOCS, tools(index))));
        const { pins } = await state();
        expect(pins).toEqual(tools(pins[0]?.acceptedAt ?? -1).map(pinOf));
      });
    });

    describe('changing', () => {
      it('replaces, adds and unlists in one step', async () => {
        await store.register(
          DOCS,
          ['a', 'b', 'c'].map((tool) => accepted(tool)),
        );
        const anew = accepted('b', { fingerprint: 'e'.repeat(64), volatile: [], acceptedAt: 9, origin: { is: 'new' } });
        await store.change(DOCS, { accepted: [anew, accepted('d')], gone: ['c', 'never was'] });
        expect((await state()).pins).toEqual([
          pinOf(accepted('a')),
          pinOf(anew),
          pinOf(accepted('c', { listed: false })),
          pinOf(accepted('d')),
        ]);
        expect(await originsOf()).toEqual({
          a: accepted('a').origin,
          b: { is: 'new' },
          d: accepted('d').origin,
        });
      });

      it('registers a source that is not', async () => {
        await store.change(DOCS, { accepted: [accepted('a')], gone: ['b'] });
        expect(await listed()).toEqual(['a']);
      });

      it('raises the revision with every change, and keeps it without one', async () => {
        await store.register(DOCS, [accepted('a')]);
        const revisions = [(await state()).revision];
        for (const change of [
          { accepted: [accepted('b')], gone: [] },
          { accepted: [], gone: ['a'] },
          { accepted: [], gone: [] },
        ]) {
          expect(await store.pins(DOCS, revisions.at(-1))).toBe('unchanged');
          await store.change(DOCS, change);
          expect(await store.pins(DOCS, revisions.at(-1))).toMatchObject({ pins: expect.any(Array) });
          revisions.push((await state()).revision);
        }
        expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
        expect(new Set(revisions).size).toBe(4);
        expect(revisions.every(Number.isSafeInteger)).toBe(true);
        // A newer revision than the store's, as after a restore, counts as changed, like an older one.
        expect(await store.pins(DOCS, Number.MAX_SAFE_INTEGER)).toMatchObject({ pins: expect.any(Array) });
      });

      it('takes the last of two tools of one name', async () => {
        const twice = [accepted('a', { acceptedAt: 1 }), accepted('a', { acceptedAt: 2 })];
        await store.register(DOCS, twice);
        expect((await state()).pins).toEqual([pinOf(accepted('a', { acceptedAt: 2 }))]);
        await store.change(DOCS, { accepted: twice.toReversed(), gone: ['b', 'b'] });
        expect((await state()).pins).toEqual([pinOf(accepted('a', { acceptedAt: 1 }))]);
      });

      it('does not list what is accepted and gone in one change', async () => {
        await store.change(DOCS, { accepted: [accepted('a')], gone: ['a'] });
        expect(await listed()).toEqual([]);
        expect((await state()).pins).toHaveLength(1);
      });

      it('lists a tool again that comes back', async () => {
        await store.register(DOCS, [accepted('a')]);
        await store.change(DOCS, { accepted: [], gone: ['a'] });
        expect(await originsOf()).toEqual({});
        await store.change(DOCS, { accepted: [accepted('a')], gone: [] });
        expect(await originsOf()).toEqual({ a: accepted('a').origin });
      });

      it('keeps so many that are gone, those that were accepted last', async () => {
        await store.register(
          DOCS,
          Array.from({ length: 6 }, (_, at) => accepted(`t${at}`, { acceptedAt: at })),
        );
        await store.change(DOCS, { accepted: [], gone: ['t0', 't3', 't4', 't5'] }, 2);
        expect((await state()).pins.map(({ tool }) => tool)).toEqual(['t1', 't2', 't4', 't5']);
        await store.change(DOCS, { accepted: [accepted('t9', { acceptedAt: 0 })], gone: ['t1'] }, 2);
        expect((await state()).pins.map(({ tool }) => tool)).toEqual(['t2', 't4', 't5', 't9']);
        await store.change(DOCS, { accepted: [], gone: [] }, 0);
        expect((await state()).pins.map(({ tool }) => tool)).toEqual(['t2', 't9']);
      });

      it('keeps a thousand removed definitions by default', async () => {
        const many = Array.from({ length: 1_003 }, (_, at) => accepted(`t${at}`, { acceptedAt: at }));
        await store.register(DOCS, many);
        await store.change(DOCS, { accepted: [], gone: many.map(({ tool }) => tool) });
        const kept = new Set((await state()).pins.map(({ acceptedAt }) => acceptedAt));
        expect(kept.size).toBe(1_000);
        expect(Math.min(...kept)).toBe(3);
      });

      it('keeps all of many simultaneous changes', async () => {
        await store.register(DOCS, [accepted('shared')]);
        const before = (await state()).revision;
        await Promise.all(
          Array.from({ length: 30 }, (_, index) =>
            store.change(DOCS, {
              accepted: [accepted(`t${index}`), accepted('shared', { acceptedAt: index })],
              gone: [`g${index}`],
            }),
          ),
        );
        const { revision, pins } = await state();
        expect(revision).toBe(before + 30);
        expect(pins).toHaveLength(31);
      });

      it('shows a change as a whole or not at all', async () => {
        const world = (at: number) =>
          Array.from({ length: 150 }, (_, index) => accepted(`t${index}`, { acceptedAt: at, origin: { at } }));
        await store.register(DOCS, world(0));
        let isOver = false;
        const torn: unknown[] = [];
        const look = async () => {
          while (!isOver) {
            const ats = new Set((await state()).pins.map(({ acceptedAt }) => acceptedAt));
            const origins = new Set(Object.values(await originsOf()).map((origin) => origin['at']));
            if (ats.size !== 1 || origins.size !== 1) torn.push([...ats], [...origins]);
            // The memory store answers without a turn of the event loop.
            await new Promise((resolve) => setImmediate(resolve));
          }
        };
        const looking = look();
        for (let at = 1; at <= 10; at += 1) await store.change(DOCS, { accepted: world(at), gone: [] });
        isOver = true;
        await looking;
        expect(torn).toEqual([]);
      });
    });

    describe('origins', () => {
      it('gives those of all that are listed, or of the named ones, gone or not', async () => {
        await store.register(
          DOCS,
          ['a', 'b', 'c'].map((tool) => accepted(tool)),
        );
        await store.change(DOCS, { accepted: [], gone: ['c'] });
        expect(Object.keys(await originsOf())).toEqual(['a', 'b']);
        expect(Object.keys(await originsOf(DOCS, ['b', 'c', 'c', 'd']))).toEqual(['b', 'c']);
        expect(await originsOf(DOCS, [])).toEqual({});
      });

      it('keeps every JSON value as it is', async () => {
        const origin = JSON.parse(
          '{"b":1,"a":[null,true,-1.5e300,"",{}],"__proto__":{"x":1},"constructor":"c","10":1,"2":2,' +
            '"text":"\\u0000 \\uD800 \\u202E \\u2028 \u{1f9f0} \\" \\\\"}',
        ) as JsonObject;
        await store.register(DOCS, [accepted('a', { origin })]);
        const found = (await store.origins(DOCS)).get('a');
        expect(JSON.stringify(found)).toBe(JSON.stringify(origin));
      });

      it('hands out and keeps copies', async () => {
        const given = { tool: 'a', origin: { deep: { text: 'as it was' } }, volatile: ['/x'] };
        await store.register(DOCS, [accepted('a', given)]);
        given.origin.deep.text = 'changed by who gave it';
        given.volatile.push('/y');
        const found = (await store.origins(DOCS)).get('a');
        Object.assign(found?.['deep'] as object, { text: 'changed by who got it' });
        (((await state()).pins[0]?.volatile ?? []) as string[]).push('/z');
        expect(await originsOf()).toEqual({ a: { deep: { text: 'as it was' } } });
        expect((await state()).pins[0]?.volatile).toEqual(['/x']);
      });
    });

    it('takes a thousand large tools at once', async () => {
      const many = Array.from({ length: 1_000 }, (_, index) =>
        accepted(`t${index}`, { origin: { index, description: `${index} `.repeat(500) } }),
      );
      await store.register(DOCS, many);
      expect((await state()).pins).toHaveLength(1_000);
      expect((await store.origins(DOCS)).get('t999')).toEqual(many[999]?.origin);
      expect((await store.origins(DOCS)).size).toBe(1_000);
      const { revision } = await state();
      await store.change(DOCS, { accepted: many.map((tool) => ({ ...tool, acceptedAt: 7 })), gone: [] });
      expect(new Set((await state()).pins.map(({ acceptedAt }) => acceptedAt))).toEqual(new Set([7]));
      expect((await state()).revision).toBe(revision + 1);
    }, 300_000);

    it('takes a tool as large as a definition may be', async () => {
      const origin = { text: 'x'.repeat(300_000) };
      await store.register(DOCS, [accepted('a', { origin }), accepted('b', { origin })]);
      expect(await originsOf()).toEqual({ a: origin, b: origin });
    });

    describe('names', () => {
      it.each(['owner', 'source'] as const)('keeps every %s apart, however it is written', async (part) => {
        const keys = ODD_NAMES.map((odd) => ({ ...DOCS, [part]: odd }));
        for (const [at, key] of keys.entries()) await store.register(key, [accepted('a', { acceptedAt: at })]);
        for (const [at, key] of keys.entries()) {
          expect((await state(key)).pins.map(({ acceptedAt }) => acceptedAt)).toEqual([at]);
        }
      });

      it('keeps every tool apart, however it is written', async () => {
        expect(new Set(ODD_NAMES).size).toBe(ODD_NAMES.length);
        await store.register(
          DOCS,
          ODD_NAMES.map((odd, at) => accepted(odd, { acceptedAt: at, origin: { at } })),
        );
        expect(new Map((await state()).pins.map(({ tool, acceptedAt }) => [tool, acceptedAt]))).toEqual(
          new Map(ODD_NAMES.map((odd, at) => [odd, at])),
        );
        const origins = await store.origins(DOCS, ODD_NAMES);
        expect(origins).toEqual(new Map(ODD_NAMES.map((odd, at) => [odd, { at }])));
        await store.change(DOCS, { accepted: [], gone: ODD_NAMES.slice(1) });
        expect(await listed()).toEqual([ODD_NAMES[0]]);
      });

      it('does not confuse where an owner ends and a source begins', async () => {
        await store.register({ owner: 'a', source: 'b,c' }, [accepted('one')]);
        await store.register({ owner: 'a,b', source: 'c' }, [accepted('two')]);
        await store.register({ owner: '', source: 'ab,c' }, [accepted('three')]);
        expect(await listed({ owner: 'a', source: 'b,c' })).toEqual(['one']);
        expect(await listed({ owner: 'a,b', source: 'c' })).toEqual(['two']);
      });

      it('keeps owners apart in everything that is done', async () => {
        const [acme, globex] = ['acme', 'globex'].map((owner) => ({ ...DOCS, owner })) as [SourceKey, SourceKey];
        for (const key of [DOCS, acme, globex]) await store.register(key, [accepted('a'), accepted('b')]);
        const { revision } = await state(globex);
        await store.change(acme, { accepted: [accepted('mine')], gone: ['a'] });
        await store.forget(DOCS);
        expect(await store.pins(globex, revision)).toBe('unchanged');
        expect(await listed(globex)).toEqual(['a', 'b']);
        expect(await listed(acme)).toEqual(['b', 'mine']);
        expect(await store.pins(DOCS)).toBeUndefined();
      });
    });

    it('forgets a source, which then can be registered anew and is not taken for what it was', async () => {
      await store.register(DOCS, [accepted('a')]);
      const { revision } = await state();
      await store.forget(DOCS);
      expect(await store.pins(DOCS)).toBeUndefined();
      expect(await store.origins(DOCS, ['a'])).toEqual(new Map());
      // Revisions may come from a clock in milliseconds, which must have advanced.
      await new Promise((resolve) => setTimeout(resolve, 2));
      await store.register(DOCS, [accepted('b')]);
      expect(await store.pins(DOCS, revision)).toMatchObject({ pins: [pinOf(accepted('b'))] });
    });
  });
}
