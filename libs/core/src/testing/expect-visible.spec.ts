import { AssertionError } from 'node:assert';
import { expectVisible } from './expect-visible.js';
import { FakeSource } from './fakes/fake-source.js';
import { openToolbox, type OpenToolbox } from './open-toolbox.js';

describe('expectVisible', () => {
  let world: OpenToolbox;
  beforeEach(async () => {
    const sources = [new FakeSource('crm', ['read', 'delete']), new FakeSource('billing', ['refund'])];
    world = await openToolbox({ sources, policy: { deny: ['crm.delete'] } });
  });
  afterEach(() => world.close());
  const failureOf = (said: Promise<void>) =>
    said.then(
      () => undefined,
      (error: unknown) => error as AssertionError,
    );

  it('passes for the expected tools, in any order', async () => {
    await expectVisible(world.toolbox).toEqual(['crm.read', 'billing.refund']);
    await expectVisible(world.toolbox).toContain('crm.read');
    await expectVisible(world.toolbox).not.toContain('crm.delete', 'no.such');
  });

  it('fails with why a tool is hidden, and what is seen too much', async () => {
    const failure = await failureOf(expectVisible(world.toolbox).toEqual(['crm.read', 'crm.delete', 'no.such']));
    expect(failure).toBeInstanceOf(AssertionError);
    expect(failure?.message.split('\n')).toEqual([
      'The toolbox does not see what it should.',
      expect.stringMatching(/^not visible: crm\.delete \(policy, .*deny/),
      expect.stringMatching(/^not visible: no\.such \(source, /),
      'visible but not expected: billing.refund',
    ]);
    expect([failure?.actual, failure?.expected]).toEqual([
      ['billing.refund', 'crm.read'],
      ['crm.delete', 'crm.read', 'no.such'],
    ]);
  });

  it('fails where one of several is not as it should be', async () => {
    const { toolbox } = world;
    expect((await failureOf(expectVisible(toolbox).toContain('crm.read', 'crm.delete')))?.message).toContain(
      'not visible: crm.delete',
    );
    expect((await failureOf(expectVisible(toolbox).not.toContain('no.such', 'crm.read')))?.message).toContain(
      'visible but not expected: crm.read',
    );
    const missing = Array.from({ length: 9 }, (_, n) => `no.such_${n}`);
    expect((await failureOf(expectVisible(toolbox).toContain(...missing)))?.message).toMatch(
      /not visible either: no.such_5, .*no.such_8$/,
    );
  });
});
