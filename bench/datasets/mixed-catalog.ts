import type { SourceAnswer, ToolSource } from '@tool-search/core';
import { ListedSource, listedSources } from './listed-source.js';
import type { TaskStep } from '../tokens/token-task.js';

/** Sources of a development team: about 1,000 tools, each product family at most once. */
export const MIX: readonly string[] = [
  'gitlab-zereight',
  'figma-console',
  'google-drive-piotr',
  'cloudflare',
  'resend',
  'playwright',
  'backlog',
  'shortcut',
  'browserstack',
  'asana',
  'azure-devops',
  'notion',
  'slack',
  'kubernetes-flux159',
  'airtable',
  'brave-search',
  'auth0',
];

/** A task: open an issue, write a document, notify the channel. */
export const MIX_TASK: readonly TaskStep[] = [
  {
    query: 'open a new issue in a GitLab project',
    tool: 'gitlab-zereight.create_issue',
    arguments: { project_id: '7', title: 'The invoice has the wrong currency' },
  },
  {
    query: 'create a Google Doc with text',
    tool: 'google-drive-piotr.createGoogleDoc',
    arguments: { name: 'Wrong currency', content: 'What happened, and when.' },
  },
  {
    query: 'post a message to a Slack channel',
    tool: 'slack.slack_post_message',
    arguments: { channel_id: 'C7', text: 'It is being looked at.' },
  },
];

/**
 * Sources of a small team: 77 tools, the size for which the design of PenguiFlow's tool search promises its savings
 * (GitHub, Slack and an application's own tools).
 */
export const SMALL_MIX: readonly string[] = ['github', 'slack', 'notion', 'gmail-gongrzhe'];

/** A task of three searches: open an issue, write an e-mail, notify the channel. */
export const SMALL_MIX_TASK: readonly TaskStep[] = [
  {
    query: 'open a new issue in a GitHub repository',
    tool: 'github.create_issue',
    arguments: { owner: 'acme', repo: 'billing', title: 'The invoice has the wrong currency' },
  },
  {
    query: 'send an email',
    tool: 'gmail-gongrzhe.send_email',
    arguments: { to: ['ada@example.com'], subject: 'Wrong currency', body: 'It is being looked at.' },
  },
  {
    query: 'post a message to a Slack channel',
    tool: 'slack.slack_post_message',
    arguments: { channel_id: 'C7', text: 'It is being looked at.' },
  },
];

/** The recorded tools of these sources, with servers that answer every call whose arguments are valid. */
export function answeringSources(folder: string, names: readonly string[]): ToolSource[] {
  const listed = new Map(listedSources(folder).map((source) => [source.name, source]));
  return names.map((name) => {
    const source = listed.get(name);
    if (!source) throw new Error(`${folder} has no catalog of ${name}`);
    return new AnsweringSource(name, source.tools);
  });
}

class AnsweringSource extends ListedSource implements ToolSource {
  override call(): Promise<SourceAnswer> {
    return Promise.resolve({ content: [{ type: 'text', text: 'done' }] });
  }
}
