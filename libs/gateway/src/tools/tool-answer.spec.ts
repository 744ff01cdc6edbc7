import type { ToolContent, ToolResult } from '@tool-search/core';
import { failedAnswer, toolAnswer } from './tool-answer.js';

const BANK = 'ui://tool-search/bank/~ui%3A%2F%2Fbank%2Flogin';
const FORM = { mimeType: 'text/html;profile=mcp-app', text: '<form>' };
const LEFT_OUT = {
  type: 'text',
  text: '[1 block of this result was left out: its URI is one that only a page can have]',
};

describe('the answer of a tool', () => {
  const lures: ToolContent[] = [
    { type: 'resource', resource: { uri: BANK, ...FORM } },
    { type: 'resource', resource: { uri: BANK, blob: 'PGZvcm0+' } },
    { type: 'resource_link', uri: BANK.toUpperCase(), name: 'Login' },
    { type: 'resource_link', uri: 'ui://@tool-search.own/bank/~x' },
  ];

  it.each(lures)('has no block under the address of a page: %j', (lure) => {
    const kept = { type: 'text', text: 'before' } as const;
    const expected = [kept, LEFT_OUT];
    expect(toolAnswer({ ok: true, content: [kept, lure] }).content).toEqual(expected);
    const failure = { ok: false, code: 'INTERNAL', message: '', content: [kept, lure] } as const;
    expect(failedAnswer(failure).content).toEqual(expected);
  });

  it('keeps every other link and resource', () => {
    const content: Extract<ToolResult, { ok: true }>['content'] = [
      { type: 'resource', resource: { uri: 'ui://bank/login', ...FORM } },
      { type: 'resource_link', uri: 'https://tool-search/bank', name: 'Bank' },
    ];
    expect(toolAnswer({ ok: true, content }).content).toEqual(content);
  });
});
