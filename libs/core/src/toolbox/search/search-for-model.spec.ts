import type { FoundTool, SearchReply } from '../meta-tools/replies.js';
import { searchForModel } from './search-for-model.js';

const HIT: FoundTool = {
  name: 'crm.read',
  description: 'Reads a customer.',
  score: 0.7512,
  match: 'words',
  loading: 'deferred',
  active: false,
  why: ['customer'],
};
const REPLY: SearchReply = {
  tools: [HIT],
  searchType: { requested: 'bm25', effective: 'bm25' },
  unmatched: [],
  verdict: 'found',
  totalDeferred: 900,
};

describe('what a model reads of a search', () => {
  it('is what it acts on', () => {
    expect(searchForModel(REPLY, 'tool_get')).toEqual({
      tools: [{ name: 'crm.read', description: 'Reads a customer.', score: 0.75 }],
      verdict: 'found',
      totalDeferred: 900,
    });
  });

  it('names what is out of the ordinary', () => {
    const similar = { count: 2, names: ['crm.read_v1'] };
    const reply: SearchReply = {
      ...REPLY,
      tools: [
        { ...HIT, active: true, similar },
        { ...HIT, offered: false },
      ],
      searchType: { requested: 'fts', effective: 'bm25' },
      unmatched: ['quokka'],
      notice: 'limit was lowered to 20, the maximum',
    };
    expect(searchForModel(reply, 'read_tool')).toEqual({
      tools: [
        { name: 'crm.read', description: 'Reads a customer.', score: 0.75, active: true, similar: ['crm.read_v1'] },
        { name: 'crm.read', description: 'Reads a customer.', score: 0.75, listed: false },
      ],
      verdict: 'found',
      totalDeferred: 900,
      unmatched: ['quokka'],
      searchType: 'bm25',
      notice: 'limit was lowered to 20, the maximum',
      hint: expect.stringContaining('with read_tool'),
    });
    expect(searchForModel({ ...reply, hint: 'Say so.' }, 'tool_get').hint).toBe('Say so.');
  });

  it('does not say what is listed in a mode that never lists a tool because it was found', () => {
    const reply: SearchReply = { ...REPLY, tools: [{ ...HIT, offered: false }] };
    expect(searchForModel(reply)).toEqual(searchForModel(REPLY));
  });
});
