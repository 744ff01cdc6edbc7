import { promptAnswer, resourceAnswer } from './item-answer.js';

const BANK = 'ui://tool-search/bank/~ui%3A%2F%2Fbank%2Flogin';
const FORM = { mimeType: 'text/html;profile=mcp-app', text: '<form>' };

describe('the answer of a resource', () => {
  it('is under its own address where its server gives it that of a page', () => {
    const content = ['lib:///part', BANK].map((uri) => ({ type: 'resource', resource: { uri, ...FORM } }) as const);
    expect(resourceAnswer({ ok: true, content }, 'lib:///guide', {}).contents).toEqual([
      { uri: 'lib:///part', ...FORM },
      { uri: 'lib:///guide', ...FORM },
    ]);
  });

  it('says what a page needs also where that is nothing: its host asks the list otherwise', () => {
    const content = [{ type: 'resource', resource: { uri: BANK, ...FORM } }] as const;
    const answer = (ui: object) =>
      resourceAnswer({ ok: true, content, structured: { ui } as never }, BANK, {
        appPage: { permissions: { camera: {} } },
      });
    expect(answer({}).contents).toEqual([{ uri: BANK, ...FORM, _meta: { ui: {} } }]);
    const ui = { prefersBorder: true };
    expect(answer(ui).contents).toEqual([{ uri: BANK, ...FORM, _meta: { ui } }]);
  });
});

it('the answer of a prompt has no block under the address of a page', () => {
  const content = [{ type: 'resource_link', uri: BANK, name: 'Login' }] as const;
  const text = '[1 block of this result was left out: its URI is one that only a page can have]';
  expect(promptAnswer({ ok: true, content }).messages).toEqual([{ role: 'user', content: { type: 'text', text } }]);
});
