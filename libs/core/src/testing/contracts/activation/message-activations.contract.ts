/// <reference types="jest" />
import type { Arbitrary } from 'fast-check';
import type { ActivationOptions } from '../../../activation/activation-options.js';
import type { ActivationStore } from '../../../activation/activation-store.js';
import { resultText } from '../../../tool/tool-result.js';
import type { Toolbox } from '../../../toolbox/toolbox.js';
import { expectSame } from '../expect-same.js';
import { FakeSource } from '../../fakes/fake-source.js';
import { type OpenToolbox, openToolbox } from '../../open-toolbox.js';

const PATIENCE = 60_000;
const NAMES = Array.from({ length: 8 }, (_, index) => `t${index}`);

type Step =
  | { readonly do: 'call' | 'wrapped' | 'search'; readonly tool: number }
  | { readonly do: 'load'; readonly tools: readonly number[] };

interface Request {
  readonly run: number;
  readonly steps: readonly Step[];
  /** Whether both applications are restarted before this request. */
  readonly restarts: boolean;
  /** A tool that is hidden, or made visible again, from this request on; only without limits. */
  readonly turns: number | undefined;
  /** Whether the tool result at a place stays in the conversation. @default all of them */
  readonly keeps?: ((place: number) => boolean) | undefined;
}

/** One tool result of the conversation, and the tools that it activated. */
interface Given {
  readonly text: string;
  readonly activated: readonly string[];
}

/**
 * Compares activations kept in messages with those of a store, as a Jest suite. In the same conversation both list the
 * same tools in the same order at every step. Where the conversation is trimmed, exactly the tools without a receipt
 * are missing. Needs Jest's globals and the package `fast-check`.
 *
 * @param name title of the suite
 * @param make creates an empty store, with a function that closes it
 */
export function describeMessageActivations(
  name: string,
  make: () => Promise<{ store: ActivationStore; close(): Promise<void> }>,
): void {
  describe(`activations in messages, and in ${name}`, () => {
    // Required here, so that the testing kit also loads without fast-check.
    // oxlint-disable-next-line typescript/no-require-imports
    const fc = require('fast-check') as typeof import('fast-check');
    const tool = fc.nat(NAMES.length - 1);
    const step: Arbitrary<Step> = fc.oneof(
      fc.record({ do: fc.constantFrom('call' as const, 'wrapped' as const, 'search' as const), tool }),
      fc.record({ do: fc.constant('load' as const), tools: fc.uniqueArray(tool, { minLength: 1, maxLength: 4 }) }),
    );
    const request = (keeps: Arbitrary<Request['keeps']>): Arbitrary<Request> =>
      fc.record({
        run: fc.nat(1),
        steps: fc.array(step, { minLength: 1, maxLength: 4 }),
        restarts: fc.boolean(),
        turns: fc.option(tool, { nil: undefined }),
        keeps,
      });
    const options: Arbitrary<ActivationOptions> = fc.record({
      activateOn: fc.constantFrom('call' as const, 'load' as const, 'search' as const),
      scope: fc.constantFrom('session' as const, 'run' as const),
      maxTools: fc.constantFrom(0, 0, 3),
    });

    let made: Awaited<ReturnType<typeof make>>;
    let sessions = 0;
    beforeAll(async () => {
      made = await make();
    }, PATIENCE);
    afterAll(() => made.close());

    it(
      'list the same tools while a conversation is whole',
      async () => {
        const requests = fc.array(request(fc.constant(undefined)), { minLength: 1, maxLength: 6 });
        await fc.assert(
          fc.asyncProperty(options, requests, async (activation, some) => {
            const stored = new Conversation({ ...activation, storage: 'store' }, `s${(sessions += 1)}`, made.store);
            const kept = new Conversation({ ...activation, storage: 'messages' }, `s${sessions}`, undefined);
            for (const each of some) {
              const [left, right] = [await stored.listedIn(each), await kept.listedIn(each)];
              expectSame(right, left);
            }
            await Promise.all([stored.close(), kept.close()]);
          }),
          { numRuns: 20 },
        );
      },
      PATIENCE,
    );

    it(
      'differ by exactly the tools without a receipt where it was trimmed',
      async () => {
        const keeps = fc.func(fc.boolean()).map((chosen) => (place: number) => chosen(place));
        const requests = fc.array(request(fc.option(keeps, { nil: undefined })), { minLength: 2, maxLength: 6 });
        await fc.assert(
          fc.asyncProperty(requests, async (some) => {
            const kept = new Conversation({ activateOn: 'load', storage: 'messages' }, 's', undefined);
            for (const each of some) {
              const [listed] = await kept.listedIn({ ...each, turns: undefined });
              const evident = new Set(kept.givenBefore.flatMap(({ activated }) => activated));
              expectSame(listed?.toSorted(), [...evident].toSorted());
            }
            await kept.close();
          }),
          { numRuns: 20 },
        );
      },
      PATIENCE,
    );
  });
}

/** One session on one application, and its tool results. */
class Conversation {
  readonly #hidden = new Set<string>();
  readonly #clock = { now: 1_800_000_000_000 };
  #given: readonly Given[] = [];
  #app: Promise<OpenToolbox> | undefined;
  /** The rest of the conversation when the last request began. */
  givenBefore: readonly Given[] = [];

  constructor(
    private readonly activation: ActivationOptions,
    private readonly sessionId: string,
    private readonly store: ActivationStore | undefined,
  ) {}

  /** The deferred tools that are listed at the beginning of the request and after each of its steps. */
  async listedIn({ run, steps, restarts, turns, keeps = () => true }: Request): Promise<readonly string[][]> {
    if (restarts) await this.close();
    if (turns !== undefined && this.activation.maxTools === 0) this.#turn(`a.${NAMES[turns]}`);
    this.#given = this.#given.filter((_, place) => keeps(place));
    this.givenBefore = this.#given;
    const app = await this.#open();
    const toolbox = app.open({
      tenantId: 'acme',
      userId: 'ada',
      sessionId: this.sessionId,
      runId: `${this.sessionId}-${run}`,
    });
    const listed = [await this.#listed(toolbox)];
    for (const step of steps) {
      const before = app.happened.length;
      const result = await resultOf(toolbox, step);
      this.#clock.now += 1;
      const activated = app.happened
        .slice(before)
        .flatMap((event) => (event.type === 'tool.activated' ? event.tool : []))
        .toSorted();
      this.#given = [...this.#given, { text: resultText(result), activated }];
      listed.push(await this.#listed(toolbox));
    }
    return listed;
  }

  async close(): Promise<void> {
    await (await this.#app)?.close();
    this.#app = undefined;
  }

  async #listed(toolbox: Toolbox): Promise<string[]> {
    const surface = await toolbox.surface({ toolResults: this.#given.map(({ text }) => text) });
    return surface.tools.map(({ name }) => name);
  }

  #open(): Promise<OpenToolbox> {
    // A tool stays activated when its call fails.
    const fails = () => Promise.reject(new Error('no'));
    const tools = NAMES.map((name, index) => ({ name, ...(index % 3 === 2 && { run: fails }) }));
    this.#app ??= openToolbox({
      sources: [new FakeSource('a', tools)],
      visibility: { filter: async (some) => some.filter((each) => !this.#hidden.has(each.name)) },
      options: { exposure: 'deferred', activation: this.activation },
      ...(this.store && { store: this.store }),
      now: () => this.#clock.now,
    });
    return this.#app;
  }

  #turn(tool: string): void {
    if (!this.#hidden.delete(tool)) this.#hidden.add(tool);
  }
}

function resultOf(toolbox: Toolbox, step: Step) {
  const name = (tool: number) => `a.${NAMES[tool]}`;
  switch (step.do) {
    case 'call':
      return toolbox.call(name(step.tool), {});
    case 'wrapped':
      return toolbox.call('tool_call', { name: name(step.tool), arguments: {} });
    case 'search':
      return toolbox.call('tool_search', { query: name(step.tool), type: 'exact' });
    case 'load':
      return toolbox.call('tool_load', { names: step.tools.map(name) });
  }
}
