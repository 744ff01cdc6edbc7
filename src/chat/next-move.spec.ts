import { aiSdk } from '@tool-search/agents/ai-sdk';
import { FakeSource, type FakeSourceTool, openToolbox } from '@tool-search/core/testing';
import { generateText, isStepCount } from 'ai';
import { DemoModel } from './demo-model.js';

const string = { type: 'string' };

describe('the next move', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['Create the file notes/a.txt containing hello', 'docs.write_file', { path: 'notes/a.txt', content: 'hello' }],
    [
      'Write a file called notes/todo.txt with the text buy milk',
      'docs.write_file',
      { path: 'notes/todo.txt', content: 'buy milk' },
    ],
    ['Make a note saying call Bob in notes/b.txt', 'docs.write_file', { path: 'notes/b.txt', content: 'call Bob' }],
    ['Add a file titled plan.md containing "a draft"', 'docs.write_file', { path: 'plan.md', content: 'a draft' }],
    ['Write buy milk to notes/b.txt', 'docs.write_file', { path: 'notes/b.txt', content: 'buy milk' }],
    ['What is in notes/a.txt?', 'docs.read_text_file', { path: 'notes/a.txt' }],
    ['What is in the notes folder?', 'docs.list_directory', { path: 'notes' }],
    ['Create a folder named reports', 'docs.create_directory', { path: 'reports' }],
    ['Search for files named welcome', 'docs.search_files', { path: '.', pattern: '**/*welcome*' }],
    ['Find all markdown files in the notes folder', 'docs.search_files', { path: 'notes', pattern: '**/*.md' }],
    ['Does the file notes/a.txt exist?', 'docs.get_file_info', { path: 'notes/a.txt' }],
    ['List my unpaid invoices', 'billing.list_invoices', { status: 'open' }],
    ['Which invoices are not paid?', 'billing.list_invoices', { status: 'open' }],
    ['Give me the paid invoices', 'billing.list_invoices', { status: 'paid' }],
    ['Who is the customer of invoice inv_1001?', 'billing.get_invoice', { invoiceId: 'inv_1001' }],
    ['Show me the details of inv_1001', 'billing.get_invoice', { invoiceId: 'inv_1001' }],
    ['What is the status of inv_1003?', 'billing.get_invoice', { invoiceId: 'inv_1003' }],
    ['Who works at Analytical Engines?', 'graph.search_nodes', { query: 'Analytical Engines' }],
    ['Who likes green tea?', 'graph.search_nodes', { query: 'green tea' }],
    [
      'Create an issue in octocat/hello-world titled Broken login',
      'code.issues_create',
      { owner: 'octocat', repo: 'hello-world', title: 'Broken login' },
    ],
    [
      `Create an issue titled 'Crash' in octocat/hello-world saying it is broken`,
      'code.issues_create',
      { owner: 'octocat', repo: 'hello-world', title: 'Crash', body: 'it is broken' },
    ],
  ])('serves %j', async (text, tool, input) => {
    const { calls } = await serve(text);
    expect(calls).toEqual([[tool, input]]);
  });

  it.each([
    ['Delete invoice inv_1002', 'I have no tool for this (delete invoice).'],
    ['What time is it?', 'I have no tool for this (get time).'],
    ['Delete the file notes/a.txt', 'I have no tool for this (delete file).'],
    ['Create a branch for octocat/hello-world', 'I have no tool for this (create branch).'],
  ])('has no tool for %j', async (text, expected) => {
    const { answer, calls } = await serve(text);
    expect(answer).toBe(expected);
    expect(calls).toEqual([]);
  });

  it('does not take the words of the request for what is to be written', async () => {
    const { answer, calls } = await serve('Create a file');
    expect(answer).toBe('To do that with docs__write_file I need path and content. Please tell me.');
    expect(calls).toEqual([]);
  });

  it('says what did not matter to a list', async () => {
    const { answer } = await serve('Which invoices of Umbrella are overdue?');
    expect(answer).toContain('(Not taken into account: overdue, Umbrella.)');
    expect((await serve('List my unpaid invoices')).answer).not.toContain('Not taken into account');
  });

  it('says what happened when a tool cannot be reached', async () => {
    const { answer } = await serve('Create an issue in octocat/hello-world titled Broken login');
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
