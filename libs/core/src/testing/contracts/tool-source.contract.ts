/// <reference types="jest" />
import { setTimeout } from 'node:timers/promises';
import { isObject } from '../../json/json.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { InterceptedCall, ToolCallInterceptor } from '../../tool/tool-call-interceptor.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { SourceAnswer, ToolCall, ToolSource } from '../../tool/tool-source.js';
import { openToolbox, type OpenToolbox } from '../open-toolbox.js';

/** A call of one of the source's tools, by its declared name. */
export interface SourceCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A source under test, with a function that closes its backend. */
export interface OpenToolSource {
  readonly source: ToolSource;
  /** A call that succeeds every time. */
  readonly works: SourceCall;
  /** A call that the tool or its backend refuses. */
  readonly fails: SourceCall;
  /** Changes the tools, at each call; required for a source that watches. */
  readonly change?: () => void | Promise<void>;
  close?(): Promise<void>;
}

/** Timeout for slow machines, not a performance requirement. */
const PATIENCE = 30_000;
const TOOLS = 1000;
const CONTEXT: ToolContext = { tenantId: 'acme', userId: 'ada' };
const CONTENT_TYPES: readonly unknown[] = ['text', 'image', 'audio', 'resource_link', 'resource'];

/**
 * The contract of {@link ToolSource} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param open creates a source that has not been loaded; called at least once per test
 * @param promises `watches`: the source reports changes of its tools
 */
export function describeToolSource(
  name: string,
  open: () => OpenToolSource | Promise<OpenToolSource>,
  promises: { readonly watches: boolean },
): void {
  describe(`${name} as a ToolSource`, () => {
    let opened: OpenToolSource;
    let source: ToolSource;
    let world: OpenToolbox | undefined;

    beforeEach(async () => {
      opened = await open();
      ({ source } = opened);
    }, PATIENCE);
    afterEach(async () => {
      await world?.close();
      world = undefined;
      await source.close();
      await opened.close?.();
    }, PATIENCE);

    const load = (signal = new AbortController().signal) => source.load(signal);
    const call = (asked: SourceCall, signal = new AbortController().signal): Promise<SourceAnswer> => {
      const given: ToolCall = {
        id: 'call-1',
        signal,
        deadline: Date.now() + PATIENCE,
        progress: () => undefined,
      };
      return source.call(asked.name, structuredClone(asked.input), CONTEXT, given);
    };
    /** A tool's canonical name in a catalog with this source only. */
    const inCatalog = async (local: string, interceptors: readonly ToolCallInterceptor[] = []): Promise<string> => {
      world = await openToolbox({ sources: [source], context: { ...CONTEXT, runId: 'run-1' }, interceptors });
      const tools = world.catalog.tools();
      const found = tools.find(({ name: canonical }) => canonical === local || canonical.endsWith(`.${local}`));
      if (!found) throw new Error(`the catalog has no ${local}: ${JSON.stringify(world.catalog.sources())}`);
      return found.name;
    };
    const settled = async (work: Promise<unknown>) =>
      Promise.race([
        work.then(
          () => 'settled',
          () => 'settled',
        ),
        setTimeout(PATIENCE / 3, 'hangs', { ref: false }),
      ]);

    it(
      'loads declarations that a catalog can take, within bounds',
      async () => {
        const tools = await load();
        expect(tools.length).toBeGreaterThan(0);
        expect(tools.length).toBeLessThanOrEqual(source.limits?.tools ?? TOOLS);
        for (const tool of tools) {
          expect(tool.name).toEqual(expect.stringMatching(/./));
          expect(typeof tool.description).toBe('string');
          if (tool.inputSchema) expect(isObject(tool.inputSchema)).toBe(true);
        }
        const names = tools.map((tool) => `${tool.namespace ?? ''} ${tool.name}`);
        expect(new Set(names).size).toBe(names.length);
        expect(tools.map((tool) => tool.name)).toContain(opened.works.name);
        await inCatalog(opened.works.name);
        expect(world?.catalog.sources()).toMatchObject([{ source: source.name, refused: [] }]);
      },
      PATIENCE,
    );

    it(
      'loads the same again, and several times at once',
      async () => {
        const first = plain(await load());
        expect(plain(await load())).toEqual(first);
        for (const tools of await Promise.all([load(), load()])) expect(plain(tools)).toEqual(first);
        expect(await call(opened.works)).toMatchObject({ content: expect.any(Array) });
      },
      PATIENCE,
    );

    it(
      'ends a cancelled load or call, and continues to work',
      async () => {
        const gone = AbortSignal.abort(new Error('nobody waits'));
        expect(await settled(load(gone))).toBe('settled');
        await load();
        expect(await settled(call(opened.works, gone))).toBe('settled');
        const soon = new AbortController();
        const running = settled(call(opened.works, soon.signal));
        soon.abort();
        expect(await running).toBe('settled');
        expect((await call(opened.works)).isError).not.toBe(true);
      },
      PATIENCE,
    );

    it(
      'answers a call with content, through a toolbox too, and leaves the arguments alone',
      async () => {
        await load();
        const input = structuredClone(opened.works.input);
        const given: ToolCall = {
          id: 'call-1',
          signal: new AbortController().signal,
          deadline: Date.now() + PATIENCE,
          progress: () => undefined,
        };
        const answer = await source.call(opened.works.name, input, CONTEXT, given);
        expect(input).toEqual(opened.works.input);
        expect(answer.isError).not.toBe(true);
        for (const block of answer.content) expect(CONTENT_TYPES).toContain(block.type);
        expect(JSON.parse(JSON.stringify(answer))).toEqual(plain(answer));
        const canonical = await inCatalog(opened.works.name);
        expect(await world?.toolbox.call(canonical, opened.works.input)).toMatchObject({ ok: true });
      },
      PATIENCE,
    );

    it(
      'is called through the interceptors of the application, which see the call and may replace its result',
      async () => {
        await load();
        const seen: InterceptedCall[] = [];
        let isOpen = true;
        const stamp: ToolCallInterceptor = {
          intercept: async (intercepted, next) => {
            if (!isOpen) throw new ToolSearchError('CALL_REFUSED', 'Not now.');
            seen.push(intercepted);
            const result = await next();
            return { ...result, content: [{ type: 'text', text: `stamped ${result.content.length}` }] };
          },
        };
        const canonical = await inCatalog(opened.works.name, [stamp]);
        const result = await world?.toolbox.call(canonical, opened.works.input);
        expect(result).toMatchObject({ ok: true, content: [{ text: expect.stringMatching(/^stamped \d+$/) }] });
        expect(seen.map(({ tool, arguments: input }) => [tool.name, input])).toEqual([[canonical, opened.works.input]]);
        isOpen = false;
        const refused = await world?.toolbox.call(canonical, opened.works.input);
        expect(refused).toEqual({ ok: false, code: 'CALL_REFUSED', message: 'Not now.' });
      },
      PATIENCE,
    );

    it(
      'runs calls at once that do not know of each other',
      async () => {
        await load();
        const gone = AbortSignal.abort(new Error('nobody waits'));
        const [, ...answers] = await Promise.all([
          settled(call(opened.works, gone)),
          ...Array.from({ length: 5 }, () => call(opened.works)),
        ]);
        for (const answer of answers) expect(answer.isError).not.toBe(true);
      },
      PATIENCE,
    );

    it(
      'refuses a name that it has not declared',
      async () => {
        await load();
        for (const unknown of ['no_such_tool', '__proto__', 'constructor', '']) {
          const answer = await call({ name: unknown, input: {} }).catch((error: unknown) => error);
          if (!isToolSearchError(answer)) expect(answer).toMatchObject({ isError: true });
        }
        expect((await call(opened.works)).isError).not.toBe(true);
      },
      PATIENCE,
    );

    it(
      'says that a call failed, and callers learn no more of it than they should',
      async () => {
        await load();
        const answer = await call(opened.fails).catch((error: unknown) => error);
        if (!(answer instanceof Error)) expect(answer).toMatchObject({ isError: true });
        const canonical = await inCatalog(opened.fails.name);
        const result = await world?.toolbox.call(canonical, opened.fails.input);
        expect(result).toMatchObject({ ok: false, code: expect.any(String), message: expect.stringMatching(/./) });
        expect(JSON.stringify(result)).not.toMatch(/\n\s+at |node_modules/);
        expect((await call(opened.works)).isError).not.toBe(true);
      },
      PATIENCE,
    );

    const itIfItWatches: (title: string, test: () => Promise<void>, ms: number) => void = promises.watches
      ? it
      : () => undefined;
    itIfItWatches(
      'reports changes to its watchers, and to none that has stopped',
      async () => {
        const change = opened.change!;
        const before = plain(await load());
        let reports = 0;
        const stop = source.watch!(() => (reports += 1));
        await change();
        const deadline = Date.now() + PATIENCE / 3;
        while (reports === 0 && Date.now() < deadline) await setTimeout(5);
        expect(reports).toBeGreaterThan(0);
        expect(plain(await load())).not.toEqual(before);
        stop();
        const heard = reports;
        await change();
        await setTimeout(20);
        expect(reports).toBe(heard);
        // Calling `stop` twice is allowed.
        stop();
      },
      PATIENCE,
    );

    it(
      'can be closed repeatedly, and before it was loaded',
      async () => {
        await source.close();
        await source.close();
        await opened.close?.();
        const fresh = await open();
        await fresh.source.load(new AbortController().signal);
        const reports: string[] = [];
        const stop = fresh.source.watch?.(() => reports.push('changed'));
        await Promise.all([fresh.source.close(), fresh.source.close()]);
        stop?.();
        expect(reports).toEqual([]);
        await fresh.close?.();
      },
      PATIENCE,
    );
  });
}

/** The JSON form, which a catalog compares and stores. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
