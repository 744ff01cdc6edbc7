import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { originalSearch } from '../peers/ai-sdk-original.js';
import { aiSdkSearchAccess } from './ai-sdk-search-access.js';

const letters = Array.from({ length: 7 }, (_, at) => ({ name: `send_${at}`, description: `Send letter ${at}.` }));

describe('aiSdkSearchAccess', () => {
  it('shows and answers what the package does', async () => {
    const rain = {
      name: 'rain',
      description: 'Will it rain?',
      inputSchema: { type: 'object', properties: { day: {} } },
    };
    const { toolbox } = await openToolbox({ sources: [new FakeSource('post', [...letters, rain])] });
    const tools = (await toolbox.visible()).map((tool) => ({ ...tool, name: tool.name.replace('.', '__') }));
    for (const query of ['send letter 3', 'rain', 'nothing of this']) {
      const access = await aiSdkSearchAccess(toolbox);
      const { answer, shown } = await originalSearch(tools, query, 5);
      expect(await access.ask('tool_search', { query })).toBe(JSON.stringify(answer));
      expect(
        (await access.shown()).definitions.map(({ name, description, inputSchema }) => [
          name,
          description,
          inputSchema,
        ]),
      ).toEqual(shown.map(({ name, description, inputSchema }) => [name, description, inputSchema]));
    }
  });

  it('keeps what earlier searches have found, and calls through the toolbox', async () => {
    const post = new FakeSource('post', letters);
    const { toolbox } = await openToolbox({ sources: [post] });
    const access = await aiSdkSearchAccess(toolbox);
    expect((await access.shown()).definitions).toHaveLength(1);
    await access.ask('tool_search', { query: '6' });
    await access.ask('tool_search', { query: '2' });
    const names = (await access.shown()).definitions.map(({ name }) => name);
    expect(names).toEqual(['tool_search', 'post__send_2', 'post__send_6']);
    expect(await access.call('post.send_6', {})).toBe(true);
    expect(post.calls).toHaveLength(1);
  });
});
