import type { ModelMessage } from 'ai';
import { ConversationMemory } from './conversation-memory.js';

const user = (content: string): ModelMessage => ({ role: 'user', content });
const assistant = (content: string): ModelMessage => ({ role: 'assistant', content });
const context = { tenantId: 'acme', userId: 'ada', sessionId: 's' };

describe('ConversationMemory', () => {
  it('gives each tenant, user and session its own conversation', () => {
    const memory = new ConversationMemory();
    memory.remember(context, [user('hello')]);

    expect(memory.recall({ ...context })).toEqual([user('hello')]);
    for (const other of [{ tenantId: 'globex' }, { userId: 'homer' }, { userId: undefined }, { sessionId: 't' }]) {
      expect(memory.recall({ ...context, ...other })).toEqual([]);
    }
  });

  it('keeps no message of a context without a session', () => {
    const memory = new ConversationMemory();
    memory.remember({ tenantId: 'acme' }, [user('hello')]);
    expect(memory.recall({ tenantId: 'acme' })).toEqual([]);
  });

  it('keeps whole turns from the end', () => {
    const memory = new ConversationMemory({ maxMessages: 3 });
    memory.remember(context, [user('one'), assistant('1'), user('two'), assistant('2')]);
    expect(memory.recall(context)).toEqual([user('two'), assistant('2')]);
  });

  it('keeps question and answer of a turn that is too large', () => {
    const memory = new ConversationMemory({ maxBytes: 200 });
    memory.remember(context, [user('one'), assistant('x'.repeat(200)), assistant('1')]);
    expect(memory.recall(context)).toEqual([user('one'), assistant('1')]);

    memory.remember(context, [user('one'), assistant('x'.repeat(200))]);
    expect(memory.recall(context)).toEqual([]);
  });

  it('forgets the conversation that was not used for the longest time', () => {
    const memory = new ConversationMemory({ maxConversations: 2 });
    for (const sessionId of ['a', 'b']) memory.remember({ ...context, sessionId }, [user(sessionId)]);
    memory.recall({ ...context, sessionId: 'a' });
    memory.remember({ ...context, sessionId: 'c' }, [user('c')]);
    expect(['a', 'b', 'c'].map((sessionId) => memory.recall({ ...context, sessionId }).length)).toEqual([1, 0, 1]);
  });
});
