import { fakeTool } from '../testing/fakes/fake-tools.js';
import { askFilters, filterRefusalNow } from './caller-filters.js';
import { type FilterPhase, narrowing, type NarrowOptions } from './narrowing.js';

const TOOL = fakeTool({ name: 'crm.delete' });
const PHASES: readonly FilterPhase[] = ['search', 'load', 'active'];
const DEADLINE_MS = 10_000;
const NEVER = new Promise<boolean>(() => undefined);
const ruleOf = async (steps: readonly NarrowOptions[], phase: FilterPhase = 'active', ms = DEADLINE_MS) =>
  (await askFilters(steps.map(narrowing), [TOOL], phase, ms)).refusals.get(TOOL)?.rule;
const later =
  (filter: (phase: FilterPhase) => boolean): NarrowOptions['filter'] =>
  async (_tool, phase) =>
    filter(phase);

describe("a caller's filters", () => {
  it('keep a tool that all of them allow, at once or later', async () => {
    expect(await ruleOf([{}])).toBeUndefined();
    expect(await ruleOf([{ filter: () => true }, { filter: later(() => true) }])).toBeUndefined();
  });

  it.each<[string, readonly NarrowOptions[]]>([
    ['the first of two', [{ filter: () => false }, { filter: () => true }]],
    ['the second of two', [{ filter: () => true }, { filter: () => false }]],
    ['a later one after one at once', [{ filter: () => true }, { filter: later(() => false) }]],
    ['one at once after a later one', [{ filter: later(() => true) }, { filter: () => false }]],
    ['the second of two later ones', [{ filter: later(() => true) }, { filter: later(() => false) }]],
  ])('remove a tool by %s', async (_, steps) => {
    expect(await ruleOf(steps)).toBe('narrowed:filter-search');
  });

  it.each(PHASES.flatMap((phase, index) => [false, true].map((isLater) => [phase, index, isLater] as const)))(
    'that remove from %s also remove from what comes after (%s, asynchronous: %s)',
    async (taken, from, isLater) => {
      const filter = (phase: FilterPhase) => phase !== taken;
      const step: NarrowOptions = { filter: isLater ? later(filter) : (_tool, phase) => filter(phase) };
      expect(await Promise.all(PHASES.map((phase) => ruleOf([step], phase)))).toEqual(
        PHASES.map((_phase, index) => (index >= from ? `narrowed:filter-${taken}` : undefined)),
      );
    },
  );

  it.each<[string, unknown]>([
    ['throws', () => JSON.parse('{')],
    ['rejects', async () => JSON.parse('{')],
    ['answers 1', () => 1],
    ['answers 1 later', async () => 1],
    ['is no function', 'yes'],
  ])('remove a tool where one %s', async (_, filter) => {
    expect(await ruleOf([{ filter } as NarrowOptions])).toBe('narrowed:filter-search');
  });

  it('remove what has no answer in time, and say that the answer is not to be kept', async () => {
    const [quick, slow, last] = ['quick', 'slow', 'last'].map((name) => fakeTool({ name }));
    const many = Array.from({ length: 99 }, (_, id) => fakeTool({ name: `t${id}` }));
    const steps = [narrowing({ filter: (tool) => (tool === slow ? NEVER : Promise.resolve(true)) })];
    const answer = await askFilters(steps, [quick!, ...many, slow!, last!], 'search', 20);
    expect(answer.isLate).toBe(true);
    expect([...answer.refusals.keys()]).toEqual([slow, last]);
    expect(answer.refusals.get(slow!)?.rule).toBe('narrowed:filter-late');
    expect((await askFilters(steps, [quick!], 'search', DEADLINE_MS)).isLate).toBe(false);
  });

  it('are asked about at most 100 tools at a time', async () => {
    const tools = Array.from({ length: 250 }, (_, id) => fakeTool({ name: `t${id}` }));
    let [running, most] = [0, 0];
    const filter: NarrowOptions['filter'] = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return true;
    };
    const { refusals } = await askFilters([narrowing({ filter })], tools, 'active', DEADLINE_MS);
    expect([refusals.size, most]).toEqual([0, 100]);
  });

  it('are asked again just before a tool runs, as far as they answer at once', async () => {
    let isOpen = true;
    const now = narrowing({ filter: () => isOpen });
    const asked: string[] = [];
    const waiting = narrowing({ filter: async (_tool, phase) => (asked.push(phase), isOpen) });
    await askFilters([now, waiting], [TOOL], 'active', DEADLINE_MS);
    isOpen = false;
    asked.length = 0;
    expect(filterRefusalNow([now], TOOL)?.rule).toBe('narrowed:filter-search');
    expect(filterRefusalNow([waiting], TOOL)).toBeUndefined();
    expect(asked).toEqual([]);
    // One that has never answered may not be skipped.
    expect(filterRefusalNow([narrowing({ filter: () => NEVER })], TOOL)?.rule).toBe('narrowed:filter-late');
  });
});
