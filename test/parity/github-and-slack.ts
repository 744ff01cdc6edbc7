import { FakeSource, type FakeSourceTool, openToolbox, type ToolboxOptions } from '@tool-search/core/testing';

const GITHUB: FakeSourceTool[] = [
  {
    name: 'create_issue',
    description: 'Create an issue in a repository.',
    tags: ['tickets', 'dev'],
    sideEffects: 'write',
    authScopes: ['repo'],
    costHint: 'cheap',
    latencyHintMs: 300,
    safetyNotes: 'Public.',
    extra: { team: 'platform' },
    deprecated: { successor: 'github.open_issue' },
    inputSchema: { type: 'object', properties: { milestone: { type: 'string' } }, required: ['milestone'] },
    outputSchema: { type: 'object', properties: { number: { type: 'integer' } } },
    examples: [{ args: { milestone: 'v2' }, description: 'One.', tags: ['minimal', 'minimal'] }],
  },
  { name: 'list_issues', description: 'List the issues of a repository.', sideEffects: 'read' },
  { name: 'whoami', description: 'Who is signed in.', loading: 'always' },
];
const SLACK: FakeSourceTool[] = [{ name: 'sendMessage', description: 'Post to a channel.', tags: ['chat'] }];
/** A toolbox over both sources; mode `deferred` unless the options set another. */
export const opened = (options: ToolboxOptions = {}) =>
  openToolbox({
    sources: [new FakeSource('github', GITHUB), new FakeSource('slack', SLACK)],
    options: { exposure: 'deferred', ...options },
  });

/** Names of tools, in the given order. */
export const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
