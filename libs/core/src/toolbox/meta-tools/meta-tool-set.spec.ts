import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';

describe('a call through the bridge', () => {
  const world = () =>
    openToolbox({ sources: [new FakeSource('files', ['read_file'])], options: { exposure: 'bridge' } });
  const wrapped = (name: string, input: object = {}) => ({ name, arguments: input });

  it('reaches tools and the other meta tools', async () => {
    const { toolbox } = await world();
    expect(await toolbox.call('tool_call', wrapped('files.read_file'))).toMatchObject({ ok: true });
    expect(await toolbox.call('tool_call', wrapped('tool_search', { query: 'read' }))).toMatchObject({ ok: true });
  });

  it('does not go through the bridge a second time, and answers with INVALID_ARGUMENTS', async () => {
    const { toolbox } = await world();
    const twice = wrapped('tool_call', wrapped('files.read_file'));
    for (const input of [twice, wrapped('tool_call', twice)]) {
      expect(await toolbox.call('tool_call', input)).toMatchObject({
        ok: false,
        code: 'INVALID_ARGUMENTS',
        hint: expect.stringContaining('Name the tool'),
      });
    }
  });
});
