import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { CopyMarks, isNearCopy } from './near-copy.js';

const DESCRIPTION = 'Sends an email to one or more recipients, with attachments.';
const tool = (name: string, description = DESCRIPTION, source = 'mail') =>
  fakeTool({ name: `mail.${name}`, namespace: 'mail', description, source });
const isCopy = (left: ReturnType<typeof tool>, right: ReturnType<typeof tool>) =>
  isNearCopy(new CopyMarks(left), new CopyMarks(right));

describe('isNearCopy', () => {
  it.each([
    ['send_email', 'send_email_2'],
    ['send_email_17', 'send_email_018'],
    ['send_email', 'send_email_v2'],
    ['send_email', 'send_email_copy_3'],
    ['send_email', 'send_email_clone'],
    ['send_email_a1b2', 'send_email_f9'],
  ])('takes %s and %s for one', (left, right) => {
    expect(isCopy(tool(left), tool(right))).toBe(true);
  });

  it('forgives a word of the description', () => {
    expect(isCopy(tool('send_email'), tool('send_email_2', `${DESCRIPTION} (Copy 2.)`))).toBe(true);
    expect(isCopy(tool('send_email'), tool('send_email_2', `${DESCRIPTION} Deprecated`))).toBe(true);
  });

  it.each([
    ['get_user', 'get_users'],
    ['list_issues', 'list_issues_for_repo'],
    ['reply_mail', 'reply_all_mail'],
    ['count_words', 'word_counts'],
    ['read_a', 'read_b'],
  ])('tells %s from %s', (left, right) => {
    expect(isCopy(tool(left), tool(right))).toBe(false);
  });

  it('tells tools of two sources and tools that do different things apart', () => {
    expect(isCopy(tool('send_email'), tool('send_email', DESCRIPTION, 'other'))).toBe(false);
    expect(isCopy(tool('step_1'), tool('step_2', 'Opens the gate of the garage.'))).toBe(false);
  });
});
