import type { NestExpressApplication } from '@nestjs/platform-express';
import { type FragileStore, startAdminServer } from '../support/admin-server.js';
import { type RequestOptions, send } from '../support/reference-server.js';

describe('the operators of several instances', () => {
  let app: NestExpressApplication;
  let url: string;
  let store: FragileStore;
  const admin = (path: string, options: RequestOptions = {}) =>
    send(url, `/admin/tools/${path}`, { token: 'olga:admin', ...options });
  const engage = (query: string) =>
    admin(`kill-switches${query}`, { body: { kind: 'tool', value: 'billing.list', reason: 'a test' } });

  beforeAll(async () => {
    ({ app, url, store } = await startAdminServer());
  });
  afterAll(() => app?.close());

  it('see which instances have not applied a change yet, and wait for them', async () => {
    await store.beat('other', 0);
    const { body } = await engage('?waitMs=50');
    expect(body).toMatchObject({ revision: 1, pending: ['other'] });
    expect(body.instances).toHaveLength(2);
    const waiting = engage('?waitMs=30000');
    await store.beat('other', 2);
    expect((await waiting).body).toMatchObject({ revision: 2, pending: [] });
    expect((await engage('')).body.pending).toBeUndefined();
  });

  it('see that a switch is engaged, also if the instances cannot be asked', async () => {
    store.isBlind = true;
    expect((await engage('?waitMs=30000')).body).toMatchObject({
      killSwitch: { value: 'billing.list' },
      warning: expect.any(String),
    });
    store.isBlind = false;
  });

  it('see how things stand while the store is down, and while it hangs', async () => {
    expect((await admin('status')).body.instances).toHaveLength(2);
    for (const [fault, value, healed] of [
      ['answersLeft', 0, Infinity],
      ['hangs', true, false],
    ] as const) {
      Object.assign(store, { [fault]: value });
      const { status, body } = await admin('status');
      expect([status, body.instances, body.counts.tools]).toEqual([200, undefined, 3]);
      Object.assign(store, { [fault]: healed });
    }
  });
});
