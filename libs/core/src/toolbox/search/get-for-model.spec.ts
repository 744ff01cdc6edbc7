import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { withDefaults } from '../../options/options.js';
import { describeTool, exampleOptions } from './described-tool.js';
import { getForModel } from './get-for-model.js';

const described = (extra: Parameters<typeof fakeTool>[0]) =>
  describeTool(fakeTool(extra), withDefaults(exampleOptions));
const forModel = (reply: Omit<Parameters<typeof getForModel>[0], 'summarized'>) =>
  getForModel({ ...reply, summarized: [] }, 'tool_get');

describe('what a model reads of a definition', () => {
  it('leaves out empty lists and how the tool is loaded', () => {
    const [tool] = forModel({ tools: [described({ name: 'crm.read' })], unavailable: [] }).tools;
    expect(Object.keys(tool!)).toEqual(['name', 'description', 'sideEffects', 'inputSchema']);
    expect(forModel({ tools: [], unavailable: [] })).toEqual({ tools: [] });
  });

  it('keeps tags, scopes and names that are not available', () => {
    const tool = described({ name: 'crm.read', tags: ['sales'], authScopes: ['crm:read'] });
    expect(forModel({ tools: [tool], unavailable: ['crm.gone'] })).toEqual({
      tools: [expect.objectContaining({ tags: ['sales'], authScopes: ['crm:read'] })],
      unavailable: ['crm.gone'],
    });
  });
});
