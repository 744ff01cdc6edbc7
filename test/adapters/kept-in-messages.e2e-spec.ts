import {
  FakeSource,
  openToolbox,
  type OpenToolbox,
  say,
  ScriptedModel,
  type ScriptedStep,
} from '@tool-search/core/testing';
import type { AdapterDriver, ScriptedTurn } from '../support/adapters/adapter-driver.js';
import { ADAPTER_DRIVERS } from '../support/adapters/drivers.js';

const image = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' } as const;

/** Each request has its own run, so that only the conversation can restore activations. */
function openWorld(): Promise<OpenToolbox> {
  const sources = [
    new FakeSource('camera', [{ name: 'photo', run: () => ({ content: [image] }) }]),
    new FakeSource('depot', [{ name: 'stock', run: () => ({ left: 7 }) }]),
    new FakeSource('press', [{ name: 'print', run: () => Promise.reject(new Error('out of order')) }]),
    new FakeSource('till', [{ name: 'price', run: () => 'five euros' }]),
    new FakeSource('zoo', ['zebra']),
  ];
  const options = { exposure: 'deferred', activation: { storage: 'messages' } } as const;
  return openToolbox({ sources, options, context: { tenantId: 'acme', userId: 'ada', sessionId: 's1' } });
}

// Tools activated in the same step may be listed in the order of their calls or of their results.
const listedIn = ({ tools }: ScriptedTurn) =>
  tools
    .map(({ name }) => name)
    .filter((name) => name.includes('__'))
    .toSorted();

type Mode = 'all' | 'deferred' | 'bridge' | 'native';

/** Modes of the first and the continued part of a conversation. */
const CONTINUED: readonly (readonly [Mode, Mode])[] = [
  ['deferred', 'deferred'],
  ['native', 'native'],
  ['native', 'deferred'],
  ['deferred', 'native'],
  ['bridge', 'deferred'],
  ['all', 'native'],
  ['native', 'bridge'],
];

describe.each(Object.entries(ADAPTER_DRIVERS))('%s, where activations are kept in messages,', (_name, open) => {
  let driver: AdapterDriver;
  beforeAll(async () => {
    driver = await open();
  });
  afterAll(() => driver.close?.());

  it.each(CONTINUED)('lists again what a conversation in mode %s has used, in mode %s', async (first, then) => {
    const world = await openWorld();
    const request = (mode: Mode, steps: readonly ScriptedStep[], before?: unknown) =>
      driver.run(world.open(), { mode, prompt: 'Go on.', script: new ScriptedModel(steps).reply, before });
    const begun = await request(first, [
      say.search('photo'),
      say.parallel(say.call('depot.stock'), say.call('camera.photo'), say.call('press.print')),
      say.answer('one moment'),
    ]);
    const goneOn = await request(then, [say.call('depot.stock'), say.call('till.price'), say.answer('ok')], begun.said);
    const { turns } = await request(then, [say.answer('ok')], goneOn.said);
    await world.close();
    const used = ['camera__photo', 'depot__stock', 'press__print'];
    expect(listedIn(goneOn.turns[0]!)).toEqual(then === 'bridge' ? [] : used);
    expect(listedIn(turns[0]!)).toEqual(then === 'bridge' ? [] : [...used, 'till__price']);
  });
});
