import type { Access } from '../connection/credentials.js';
import { FollowedResources } from './followed-resources.js';

describe('FollowedResources', () => {
  const never = new Promise<void>(() => undefined);
  const access = async () => ({ holder: '' }) as Access;
  const add = (followed: FollowedResources, tenantId: string, n: number) =>
    followed.add(tenantId, access, `file:///${tenantId}/${n}`, () => undefined);

  it('refuse a tenant that follows its share, and no other, until it follows fewer', async () => {
    const followed = new FollowedResources(async () => ({ lost: never, end: () => undefined }), 8);
    const [first, ...others] = [0, 1, 2, 3].map((n) => add(followed, 'acme', n));
    await Promise.all(others);
    await expect(add(followed, 'acme', 4)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await add(followed, 'acme', 3);
    await add(followed, 'globex', 0);
    (await first!)();
    await add(followed, 'acme', 4);
    followed.close();
    await add(followed, 'acme', 5);
    followed.close();
  });

  it('count to a tenant that still follows them, once the one that began has ended', async () => {
    const followed = new FollowedResources(async () => ({ lost: never, end: () => undefined }), 8);
    const shared = (tenantId: string, n: number) =>
      followed.add(tenantId, access, `file:///shared/${n}`, () => undefined);
    const begun = await Promise.all([0, 1, 2, 3].map((n) => shared('acme', n)));
    await Promise.all([0, 1, 2, 3].map((n) => shared('globex', n)));
    for (const end of begun) end();
    await expect(shared('globex', 4)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await shared('acme', 5);
    followed.close();
  });

  it('take no room when they cannot be followed', async () => {
    let isDown = true;
    const follow = async () => {
      if (isDown) throw new Error('down');
      return { lost: never, end: () => undefined };
    };
    const followed = new FollowedResources(follow, 2);
    for (let n = 0; n < 5; n += 1) await expect(add(followed, 'acme', n)).rejects.toThrow('down');
    isDown = false;
    await add(followed, 'acme', 0);
    followed.close();
  });
});
