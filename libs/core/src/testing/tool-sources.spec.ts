import { CodeSource } from '../nest/tools/code.source.js';
import { defineTool } from '../nest/decorators/define-tool.js';
import { FakeSource } from './fakes/fake-source.js';
import { describeToolSource } from './contracts/tool-source.contract.js';

const FAULT = () => {
  throw new Error('password=hunter2\n    at secret (node_modules/x)');
};
const INPUT = { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false };

describeToolSource(
  'FakeSource',
  () => {
    const source = new FakeSource('crm', [
      { name: 'read', inputSchema: INPUT, run: ({ id }) => ({ id }) },
      { name: 'refuse', run: () => ({ content: [{ type: 'text', text: 'no' }], isError: true }) },
    ]);
    let changes = 0;
    return {
      source,
      works: { name: 'read', input: { id: '1' } },
      fails: { name: 'refuse', input: {} },
      change: () => source.setTools(['read', `added_${(changes += 1)}`]),
    };
  },
  { watches: true },
);

describeToolSource(
  'CodeSource',
  () => {
    const read = defineTool({
      name: 'read',
      description: 'Reads.',
      input: INPUT,
      run: ({ id }) => `read ${String(id)}`,
    });
    const refuse = defineTool({ name: 'refuse', description: 'Refuses.', run: FAULT });
    const source = new CodeSource({ name: 'crm', tools: [read, refuse] });
    let changes = 0;
    const added = () => defineTool({ name: `added_${(changes += 1)}`, description: 'Is new.', run: () => 'x' });
    return {
      source,
      works: { name: 'crm.read', input: { id: '1' } },
      fails: { name: 'crm.refuse', input: {} },
      change: () => source.replace([read, refuse, added()]),
    };
  },
  { watches: true },
);
