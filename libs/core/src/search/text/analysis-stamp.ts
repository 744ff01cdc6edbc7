import { createHash } from 'node:crypto';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { fieldTerms } from './field-terms.js';
import { queryTerms } from './query-terms.js';
import { toolText } from './tool-text.js';

// Examples of everything that the analysis treats specially.
const WORDS = `parseHTMLDocument listPRs s3 oauth2Token e-mail don't x_y the user's Zürich ﬁle 42 running flies agreed yyyy
  创建工单 ファイルを読む 이메일 ค้นหา सूचना найти αρχείο`;

const PROBE: ToolDefinition = {
  name: 'probe.create_issue',
  namespace: 'probe',
  title: 'Create an issue',
  description: WORDS,
  tags: ['bugTracker', 'work'],
  sideEffects: 'external',
  inputSchema: {
    type: 'object',
    description: 'Root.',
    properties: {
      dueDate: { type: 'string', description: 'When.', enum: ['today', 'tomorrow'] },
      list: {
        type: 'array',
        items: { anyOf: [{ const: 'urgent' }, { properties: { deep: { description: 'Down.' } } }] },
      },
    },
    additionalProperties: { description: 'Others.' },
    $defs: { tag: { description: 'A free tag.' } },
    allOf: [{ properties: { all: {} } }],
  },
  examples: [{ args: { dueDate: 'today' }, description: 'Due today', tags: ['common'] }],
  loading: 'deferred',
  exampleQueries: ['Somebody found a bug'],
  sourceDescription: 'Where work is tracked.',
  aliases: ['probe.new_issue'],
  authScopes: [],
  source: 'probe',
  owner: '',
  hash: '',
};

let stamp: string | undefined;

/** How this version analyzes texts, in 16 hex digits. Terms stored under another stamp may not match. */
export function analysisStamp(): string {
  stamp ??= createHash('sha256')
    .update(
      JSON.stringify([
        Object.entries(toolText(PROBE)).map(([field, text]) => [field, fieldTerms(text)]),
        queryTerms(WORDS),
      ]),
    )
    .digest('hex')
    .slice(0, 16);
  return stamp;
}
