import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { toolText } from './tool-text.js';

describe('toolText', () => {
  it('reads names, descriptions and values of nested parameters', () => {
    const text = toolText(
      fakeTool({
        name: 'crm.sales.list_deals',
        namespace: 'crm.sales',
        inputSchema: {
          type: 'object',
          properties: {
            filter: {
              type: 'object',
              description: 'What to keep.',
              properties: { stage: { enum: ['won', 'lost', 3], description: 'State of the deal.' } },
            },
            tags: { type: 'array', items: { anyOf: [{ const: 'urgent' }, { $ref: '#/$defs/tag' }] } },
          },
          $defs: { tag: { description: 'A free tag.' } },
        },
      }),
    );
    expect(text).toMatchObject({
      name: 'list_deals',
      namespace: 'crm.sales',
      parameterNames: 'filter\ntags\nstage',
      enums: 'won\nlost\nurgent',
    });
    expect(text.parameterDescriptions.split('\n').sort()).toEqual([
      'A free tag.',
      'State of the deal.',
      'What to keep.',
    ]);
  });

  it('contains example queries, descriptions of examples, and the description of the source', () => {
    const tool = fakeTool({
      exampleQueries: ['give me my money back', 'undo the charge'],
      examples: [
        { args: { id: 'inv_1' }, description: 'A refund in part.', tags: [] },
        { args: {}, tags: [] },
      ],
      sourceDescription: 'Invoices of customers.',
    });
    expect(toolText(tool)).toMatchObject({
      exampleQueries: 'give me my money back\nundo the charge\nA refund in part.',
      sourceDescription: 'Invoices of customers.',
    });
    expect(toolText(fakeTool())).toMatchObject({ exampleQueries: '', sourceDescription: '' });
  });

  it('stays bounded on a schema without an end', () => {
    const endless: Record<string, unknown> = { description: 'Again.' };
    endless['properties'] = { again: endless, more: endless, evenMore: endless };
    const wide = {
      properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`p${i}`, { description: 'x' }])),
    };
    // Checked definitions are frozen JSON without cycles, but the index must not rely on it.
    const text = (inputSchema: Record<string, unknown>) => toolText({ ...fakeTool(), inputSchema });
    expect(text(endless).parameterDescriptions.split('\n').length).toBeLessThanOrEqual(1_000);
    expect(text(wide).parameterDescriptions.split('\n').length).toBeLessThanOrEqual(1_000);
  });
});
