import { otherTenantDuring } from './other-tenant.js';

/** Sends requests until `count` were sent. */
async function met(count: number, answer: (index: number) => Promise<{ status: number; body: object }>) {
  let sent = 0;
  let enough: () => void;
  const work = new Promise<void>((resolve) => (enough = resolve));
  const request = () => {
    if (sent + 1 === count) enough();
    return answer(sent++) as ReturnType<Parameters<typeof otherTenantDuring>[0]['request']>;
  };
  const { times, served } = await otherTenantDuring({ request }, work);
  return { served, measured: times.length === sent };
}

describe('another tenant during an attack', () => {
  it('is served if every request is answered with 200', async () => {
    expect(await met(3, () => Promise.resolve({ status: 200, body: {} }))).toEqual({ served: true, measured: true });
  });

  it.each([
    ['refused', () => Promise.resolve({ status: 503, body: {} })],
    ['not answered', () => Promise.reject(new Error('fetch failed'))],
  ])('is not served if one request is %s', async (_, fails) => {
    const answer = (index: number) => (index === 1 ? fails() : Promise.resolve({ status: 200, body: {} }));
    expect(await met(4, answer)).toEqual({ served: false, measured: true });
  });
});
