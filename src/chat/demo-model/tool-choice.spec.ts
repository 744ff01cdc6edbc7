import { chooseTool, fitOf } from './tool-choice.js';
import { readRequest } from './user-request.js';

const string = { type: 'string' };

describe('fitOf', () => {
  it.each([
    ['Create an issue', 'create_issue_comment', 'Create a comment.', 'another last word'],
    ['Create an issue', 'reactions_create_for_issue', 'Create a reaction for an issue.', 'another object'],
    ['Delete the issue', 'delete_comments_of_issue', 'Delete the comments of an issue.', 'another object'],
    ['Create an issue', 'close_issue', 'Close an issue.', 'another verb'],
    ['Show the view', 'create_view', 'Create a view.', 'a change for a question'],
    ['Create a report', 'get_report', 'Get a report.', 'a report that exists for a new one'],
    ['Issue a refund', 'delete_issue', 'Delete an issue.', 'the verb as a noun'],
    ['Delete it', 'comments_delete', 'Delete all comments.', 'nothing named'],
    ['Do not delete the issue', 'delete_issue', 'Delete an issue.', 'a negation'],
  ])('is 0: %s with %s (%s) is %s', (text, name, description) => {
    expect(fitOf(readRequest(text), { name, description })).toBe(0);
  });

  it.each([
    ['Create an issue', 'tracker__issues_create', 'Create an issue.'],
    ['Add an issue', 'tracker.create_issue', 'Creates an issue.'],
    ['Erase the file', 'shop_delete_file', 'Delete a file.'],
    ['Which issues are open?', 'getIssues', ''],
  ])('is more than 0: %s with %s', (text, name, description) => {
    expect(fitOf(readRequest(text), { name, description })).toBeGreaterThan(0);
  });

  it('is higher without words that were not asked for, and without a deprecation', () => {
    const fit = (name: string, description: string) => fitOf(readRequest('Read the file'), { name, description });
    expect(fit('read_file', 'Read a file.')).toBeGreaterThan(fit('read_media_file', 'Read a file.'));
    expect(fit('read_text_file', 'Read a file.')).toBeGreaterThan(fit('read_file', 'Read a file. Deprecated.'));
  });
});

describe('chooseTool', () => {
  const refund = {
    name: 'refund_invoice',
    description: 'Refund an invoice.',
    inputSchema: {
      type: 'object',
      properties: { invoiceId: string, amount: { type: 'number' } },
      required: ['invoiceId', 'amount'],
    },
  };

  it('fills the arguments of the tool that fits', () => {
    const choice = chooseTool(readRequest('Refund invoice inv_1 with 5 euros'), [refund]);
    expect(choice).toMatchObject({ tool: refund, args: { invoiceId: 'inv_1', amount: 5 }, missing: [] });
  });

  it.each([
    ['Refund invoice inv_1 with 5 euros to Ada', 'a value without a place'],
    ['Refund invoice inv_1 and inv_2 with 5 euros', 'two values for one place'],
    ['Refund invoice inv_1 with 5 euros tomorrow', 'a word it does not know'],
    ['Refund 5 invoices called inv_1', 'a count'],
  ])('chooses none for %s (%s)', (text) => {
    expect(chooseTool(readRequest(text), [refund])).toBeUndefined();
  });
});
