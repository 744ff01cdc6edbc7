import type { TaskStep } from './token-task.js';

/** A task with the reference server's own sources: read a file, store a fact, add two numbers. */
export const REFERENCE_TASK: readonly TaskStep[] = [
  {
    query: 'read the text of a file',
    tool: 'files.read_text_file',
    arguments: { path: 'notes/welcome.txt' },
  },
  {
    query: 'remember a person in the knowledge graph',
    tool: 'memory.create_entities',
    arguments: { entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }] },
  },
  { query: 'add two numbers', tool: 'everything.get-sum', arguments: { a: 2, b: 3 } },
];
