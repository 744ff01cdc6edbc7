import { aiSdk } from '@tool-search/agents/ai-sdk';
import { FakeSource, type FakeSourceTool, openToolbox } from '@tool-search/core/testing';
import { generateText, isStepCount } from 'ai';
import { DemoModel } from './demo-model.js';

const string = { type: 'string' };

describe('the next move', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['Create the file notes/a.txt with "hello"', 'docs.write_file', { path: 'notes/a.txt', content: 'hello' }],
    ['Write “buy milk” to notes/b.txt', 'docs.write_file', { path: 'notes/b.txt', content: 'buy milk' }],
    ['Add a file called plan.md with content="a draft"', 'docs.write_file', { path: 'plan.md', content: 'a draft' }],
    ['What is in notes/a.txt?', 'docs.read_text_file', { path: 'notes/a.txt' }],
    ['Tell me what notes/a.txt says', 'docs.read_text_file', { path: 'notes/a.txt' }],
    ['Which files are in the notes folder?', 'docs.list_directory', { path: 'notes' }],
    ['Create a folder named reports', 'docs.create_directory', { path: 'reports' }],
    ['Move notes/a.txt to b.txt', 'docs.move_file', { source: 'notes/a.txt', destination: 'b.txt' }],
    ['To b.txt move the file notes/a.txt', 'docs.move_file', { source: 'notes/a.txt', destination: 'b.txt' }],
    ['List my open invoices', 'billing.list_invoices', { status: 'open' }],
    ['Which invoices are not open?', 'billing.list_invoices', {}],
    ['Show me invoice inv_1001', 'billing.get_invoice', { invoiceId: 'inv_1001' }],
    ['What is the status of invoice inv_1003?', 'billing.get_invoice', { invoiceId: 'inv_1003' }],
    [
      'Create an invoice for Umbrella over 99.50 euros',
      'billing.create_invoice',
      { customer: 'Umbrella', amount: 99.5 },
    ],
    ['Search nodes for "green tea"', 'graph.search_nodes', { query: 'green tea' }],
    [
      'Remember that Ada Lovelace works at Acme',
      'graph.create_relations',
      { relations: [{ from: 'Ada Lovelace', to: 'Acme', relationType: 'works at' }] },
    ],
    [
      'Create an issue titled "Broken login" with owner=octocat and repo=hello-world',
      'code.issues_create',
      { owner: 'octocat', repo: 'hello-world', title: 'Broken login' },
    ],
  ])('serves %j', async (text, tool, input) => {
    const { calls } = await serve(text);
    expect(calls).toEqual([[tool, input]]);
  });

  it.each([
    ['Delete invoice inv_1002', 'I have no tool for this (delete invoice).'],
    ['What time is it?', 'I have no tool for this (get time).'],
    ['Create a branch with owner=octocat and repo=hello-world', 'I have no tool for this (create branch owner repo).'],
    ['Create an issue type named "Bug" with owner=octocat', 'I have no tool for this (create issue type owner).'],
    ['Invoice inv_1001 was created for Ada over 5 euros', 'I have no tool for this (invoice was created).'],
    ['Create 2 invoices for Umbrella', 'I have no tool for this (create).'],
    ['Move notes/a.txt and notes/b.txt', 'I have no tool for this (move file).'],
    ['Delete it', 'I have no tool for this (delete).'],
  ])('has no tool for %j', async (text, expected) => {
    const { answer, calls } = await serve(text);
    expect(answer).toBe(expected);
    expect(calls).toEqual([]);
  });

  it('prefers a tool to its deprecated twin', async () => {
    const { calls } = await serve('Read the file notes/a.txt');
    expect(calls).toEqual([['docs.read_text_file', { path: 'notes/a.txt' }]]);
  });

  it('does not take the words of the request for what is to be written', async () => {
    const { answer, calls } = await serve('Create a file');
    expect(answer).toBe('To do that with docs__write_file I need path and content. Please tell me.');
    expect(calls).toEqual([]);
  });

  it.each([
    ['Create an invoice for Umbrella', 'amount'],
    ['Read the file', 'path'],
  ])('asks instead of guessing: %s', async (text, missing) => {
    const { answer, calls } = await serve(text);
    expect(answer).toContain(`I need ${missing}. Please tell me.`);
    expect(calls).toEqual([]);
  });

  it('says what happened when a tool cannot be reached', async () => {
    const { answer } = await serve('Create an issue titled "Broken" with owner=octocat and repo=hello-world');
    expect(answer).toBe('That did not work: The API could not be reached.');
  });
});

async function serve(prompt: string): Promise<{ answer: string; calls: readonly [string, unknown][] }> {
  const sources = office();
  const { toolbox } = await openToolbox({ sources });
  const { text: answer } = await generateText({
    model: new DemoModel(),
    prompt,
    stopWhen: isStepCount(20),
    ...(await aiSdk(toolbox)),
  });
  const calls = sources.flatMap((source) =>
    source.calls.map(({ name, input }): [string, unknown] => [`${source.name}.${name}`, input]),
  );
  return { answer, calls };
}

/** Tools as real servers have them, with many that only look alike. */
function office(): FakeSource[] {
  const unreachable = () => ({ isError: true, content: [{ type: 'text', text: 'The API could not be reached.' }] });
  const repository = { owner: string, repo: string };
  return [
    new FakeSource('docs', [
      tool('write_file', 'Create a new file or overwrite an existing one with new content.', {
        path: string,
        content: string,
      }),
      tool('create_directory', 'Create a new directory or ensure one exists. Can hold any file.', { path: string }),
      tool('search_files', 'Search for files matching a pattern. The pattern is glob-style.', {
        path: string,
        pattern: string,
      }),
      tool('move_file', 'Move or rename a file.', { source: string, destination: string }),
      tool('read_file', 'Read a file as text. DEPRECATED: use another tool.', { path: string }),
      tool('read_text_file', 'Read the contents of a file as text.', { path: string }),
      tool('get_file_info', 'Retrieve metadata about a file or directory.', { path: string }),
      tool('list_directory', 'List the files and directories in a path.', { path: string }),
    ]),
    new FakeSource('billing', [
      {
        ...tool('list_invoices', 'List the invoices of your company.', {}),
        loading: 'always',
        inputSchema: { type: 'object', properties: { status: { ...string, enum: ['open', 'paid', 'refunded'] } } },
      },
      tool('get_invoice', 'Read one invoice.', { invoiceId: string }),
      tool('create_invoice', 'Create an open invoice for a customer.', {
        customer: string,
        amount: { type: 'number' },
      }),
    ]),
    new FakeSource('graph', [
      tool('create_entities', 'Create new entities in the knowledge graph.', {
        entities: { type: 'array', items: {} },
      }),
      tool('create_relations', 'Create new relations between entities.', {
        relations: {
          type: 'array',
          items: {
            type: 'object',
            properties: { from: string, to: string, relationType: string },
            required: ['from', 'to', 'relationType'],
          },
        },
      }),
      tool('search_nodes', 'Search for nodes in the knowledge graph based on a query.', { query: string }),
    ]),
    new FakeSource('code', [
      {
        ...tool('issues_create', 'Create an issue.', {}),
        inputSchema: {
          type: 'object',
          properties: { ...repository, title: string, body: string },
          required: ['owner', 'repo', 'title'],
        },
        run: unreachable,
      },
      tool('orgs_create_issue_type', 'Create issue type for an organization.', { org: string, name: string }),
      tool('issues_create_comment', 'Create an issue comment.', { ...repository, body: string }),
      tool('pulls_create_review', 'Create a review for a branch.', repository),
      tool('reactions_create_for_issue', 'Create reaction for an issue.', repository),
      tool('comments_delete', 'Delete all comments.', {}),
      tool('billing_delete_budget_org', 'Delete a budget. Bills and invoices stay.', { org: string }),
      tool('repos_delete_file', 'Delete a file of a repository.', {
        ...repository,
        path: string,
        message: string,
        sha: string,
        branch: string,
      }),
      tool('search_code', 'Search code. Finds terms in files.', { q: string }),
      tool('activity_list_events', 'List public events. Events are delayed for some time.', {}),
      tool('insights_get_time_stats', 'Get time stats.', {}),
    ]),
  ];
}

function tool(name: string, description: string, properties: Record<string, unknown>): FakeSourceTool {
  return { name, description, inputSchema: { type: 'object', properties, required: Object.keys(properties) } };
}
