import { FakeSource, openToolbox, type OpenToolbox } from '@tool-search/core/testing';
import type { ToolContext } from '@tool-search/core';
import type { GatewayRequest } from '../gateway-request.js';
import { followedUris } from './followed-uris.js';
import { ResourceSubscriptions } from './resource-subscriptions.js';

/** A source whose resources a test updates. */
class Pages extends FakeSource {
  readonly followed = new Map<string, () => void>();

  async subscribe(_name: string, uri: string, _context: ToolContext, updated: () => void): Promise<() => void> {
    this.followed.set(uri, updated);
    return () => void this.followed.delete(uri);
  }
}

const uriOf = (index: number) => `doc:///${index}`;

describe('ResourceSubscriptions', () => {
  let world: OpenToolbox;
  let pages: Pages;
  let request: GatewayRequest;
  const told: string[] = [];
  const subscriptions = () => new ResourceSubscriptions((uri) => told.push(uri));
  beforeEach(async () => {
    const items = Array.from({ length: 101 }, (_, index) => ({
      name: `resources.p${index}`,
      kind: 'resource' as const,
      uri: uriOf(index),
    }));
    pages = new Pages('docs', items, { exposes: ['resource'] });
    world = await openToolbox({ sources: [pages] });
    request = { toolbox: world.toolbox } as GatewayRequest;
    told.length = 0;
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(async () => {
    jest.useRealTimers();
    await world.close();
  });
  const settled = () => jest.advanceTimersByTimeAsync(200);

  it('report a flood of updates once, until it is removed', async () => {
    const own = subscriptions();
    await own.add(request, uriOf(1));
    const update = pages.followed.get(uriOf(1))!;
    for (let n = 0; n < 1000; n++) update();
    await settled();
    expect(told).toEqual([uriOf(1)]);
    own.remove(uriOf(1));
    update();
    await settled();
    expect([told.length, pages.followed.size]).toEqual([1, 0]);
  });

  it('do not follow an item that the caller does not see, and end for one that it no longer sees', async () => {
    const own = subscriptions();
    await expect(own.add(request, 'doc:///nowhere')).rejects.toMatchObject({ code: -32602 });
    await own.add(request, uriOf(1));
    const operator = { actor: 'olga', reason: 'a test', tenantId: '' };
    await world.killSwitches.engage({ ...operator, kind: 'tool', value: 'docs.resources.p1' });
    pages.followed.get(uriOf(1))!();
    await settled();
    expect(told).toEqual([]);
    own.close();
  });

  it('is bounded, and ends with its client', async () => {
    const own = subscriptions();
    for (let index = 0; index < 100; index++) await own.add(request, uriOf(index));
    await own.add(request, uriOf(0));
    await expect(own.add(request, uriOf(100))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    own.close();
    expect(pages.followed.size).toBe(0);
    const late = subscriptions();
    const adding = late.add(request, uriOf(1));
    late.close();
    await adding;
    expect(pages.followed.size).toBe(0);
  });
});

describe('followedUris', () => {
  it.each([undefined, null, {}, { params: 5 }, { params: { notifications: { resourceSubscriptions: 'doc:///1' } } }])(
    'are none in %j',
    (message) => {
      expect(followedUris(message)).toEqual([]);
    },
  );

  it('are at most 100 texts', () => {
    const resourceSubscriptions = [5, 'x'.repeat(3000), ...Array.from({ length: 150 }, (_, index) => uriOf(index))];
    expect(followedUris({ params: { notifications: { resourceSubscriptions } } })).toHaveLength(100);
  });
});
