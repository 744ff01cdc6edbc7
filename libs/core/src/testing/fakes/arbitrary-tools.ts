import fc from 'fast-check';
import { fakeTool } from './fake-tools.js';

export { fc };

// Few words, so that tools share them and word frequencies matter.
const anyWord = fc.constantFrom(
  'invoice',
  'refund',
  'list',
  'create',
  'createIssue',
  'file',
  's3',
  'the',
  'user',
  '创建工单',
  '42',
);
const anySentence = fc.array(anyWord, { maxLength: 8 }).map((words) => words.join(' '));
/** Tools that often share names, words and parameters. */
export const anyTool = fc
  .record({
    namespace: fc.constantFrom('', 'billing', 'files'),
    local: fc
      .array(
        anyWord.filter((word) => /^\w+$/.test(word)),
        { minLength: 1, maxLength: 3 },
      )
      .map((words) => words.join('_')),
    description: anySentence,
    tags: fc.array(anyWord, { maxLength: 2 }),
    parameter: anyWord,
    about: anySentence,
    exampleQueries: fc.array(anySentence, { maxLength: 2 }),
    sourceDescription: fc.option(anySentence, { nil: undefined }),
  })
  .map(({ namespace, local, description, tags, parameter, about, exampleQueries, sourceDescription }) =>
    fakeTool({
      name: namespace === '' ? local : `${namespace}.${local}`,
      namespace,
      description,
      tags,
      exampleQueries,
      ...(sourceDescription !== undefined && { sourceDescription }),
      inputSchema: { type: 'object', properties: { [parameter]: { type: 'string', description: about } } },
    }),
  );
/** States of one catalog: most tools stay from one to the next, others are added, removed or changed. */
export const anyHistory = fc
  .array(anyTool, { minLength: 1, maxLength: 15 })
  .chain((pool) => fc.array(fc.subarray(pool), { minLength: 2, maxLength: 5 }));
/** Queries about such tools, including patterns. */
export const anyText = fc.oneof(
  anySentence.filter((text) => text !== ''),
  fc.constantFrom('create_issue', 'list "invoice"', 'unicorn', 'billing.list', 'help me list files', '.*', 'l.st|s3'),
);
