import fc from 'fast-check';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { expectSame } from '../../testing/contracts/expect-same.js';
import type { JsonObject } from '../../json/json.js';
import { withDefaults } from '../../options/options.js';
import { type ExampleOptions, exampleOptions, ListedDescriptions } from './described-tool.js';

const TOOL = fakeTool({
  name: 'billing.refund',
  description: 'Refund an invoice.',
  examples: [
    { args: { note: 'x', amount: 1 }, tags: ['odd'], description: 'Of no kind.' },
    { args: { amount: 2 }, tags: ['edge-case'] },
    { args: { id: 'i1', amount: 3 }, tags: ['common', 'money'], description: 'With\na break.' },
    { args: {}, tags: ['minimal'] },
  ],
});
const descriptionOf = (rule: Partial<ExampleOptions>, tool = TOOL) =>
  new ListedDescriptions(withDefaults(exampleOptions, rule)).of(tool);

describe('ListedDescriptions', () => {
  it('leaves descriptions alone unless examples belong into definitions', () => {
    expect(descriptionOf({})).toBe('Refund an invoice.');
    expect(descriptionOf({ inDefinitions: true, enabled: false })).toBe('Refund an invoice.');
    expect(descriptionOf({ inDefinitions: true }, fakeTool({ description: 'Plain.' }))).toBe('Plain.');
  });

  it('adds them as compact JSON with sorted keys, simple ones first', () => {
    expect(descriptionOf({ inDefinitions: true, maxPerTool: 10 }).split('\n')).toEqual([
      'Refund an invoice.',
      '',
      'Examples:',
      '- (minimal): {}',
      '- With a break. (common, money): {"amount":3,"id":"i1"}',
      '- (edge-case): {"amount":2}',
      '- Of no kind. (odd): {"amount":1,"note":"x"}',
    ]);
  });

  it('keeps to the number, the words and the tags that the application allows', () => {
    const only = { inDefinitions: true, includeDescriptions: false, filterTags: ['odd', 'common'], maxPerTool: 1 };
    expect(descriptionOf(only)).toBe('Refund an invoice.\n\nExamples:\n- (common, money): {"amount":3,"id":"i1"}');
    expect(descriptionOf({ inDefinitions: true, filterTags: ['nobody has this'] })).toBe('Refund an invoice.');
  });

  it('leaves an example out that is too long to be read at a glance', () => {
    const long = fakeTool({ description: 'Says.', examples: [{ args: { text: 'x'.repeat(3000) }, tags: [] }] });
    expect(descriptionOf({ inDefinitions: true }, long)).toBe('Says.');
  });

  it('is the same for equal arguments in any order of keys', () => {
    const args = fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(fc.integer(), fc.constant({ b: 1, a: [2] })));
    fc.assert(
      fc.property(args, (written) => {
        const [one, other] = [Object.entries(written), Object.entries(written).toReversed()].map((entries) =>
          descriptionOf(
            { inDefinitions: true },
            fakeTool({ examples: [{ args: Object.fromEntries(entries) as JsonObject, tags: [] }] }),
          ),
        );
        expectSame(one, other);
      }),
      { numRuns: 100 },
    );
  });
});
