import { ToolSearchService } from '@tool-search/core';
import { withDemoApplication } from '../../src/demo/demo-application.js';
import { DEMO_USERS } from '../../src/demo/demo-users.js';

// The requests of README.md and of the demo, as their users write them, and a tool that serves each.
const REQUESTS: readonly (readonly [request: string, tool: RegExp])[] = [
  ['refund an invoice', /^billing\.refund_invoice$/],
  ['What does the file notes/welcome.txt say?', /^files\.read_(text_)?file$/],
  ['Which files are in the notes folder?', /^files\.list_directory/],
  ['Remember that Ada Lovelace works at Analytical Engines.', /^memory\.(create|add)_/],
  ['Remember that Ada likes tea', /^memory\.(create|add)_/],
  ['Refund 25 euros of invoice inv_1001 because it was charged twice.', /^billing\.refund_invoice$/],
];

describe('the requests of the README, asked as they stand', () => {
  it('find their tool in the first three hits, among all tools of the reference server', async () => {
    const { userId, plan } = DEMO_USERS.acme;
    const found = await withDemoApplication(async (app) => {
      const toolbox = app.get(ToolSearchService).open({ tenantId: 'acme', userId, plan });
      const answers: string[][] = [];
      for (const [query] of REQUESTS) {
        const { tools } = await toolbox.search({ query, limit: 3, includeAlwaysLoaded: true });
        answers.push(tools.map(({ name }) => name));
      }
      return answers;
    });
    const missed = REQUESTS.flatMap(([request, tool], at) => {
      return found[at]?.some((name) => tool.test(name)) ? [] : [[request, found[at]]];
    });
    expect(missed).toEqual([]);
  });
});
