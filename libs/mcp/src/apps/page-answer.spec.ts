import { pageAnswer } from './page-answer.js';

const URI = 'ui://weather/view';
const PAGE = { prefersBorder: true };
const TYPE = 'text/html;profile=mcp-app';
const read = (...contents: readonly unknown[]) => pageAnswer({ contents }, URI, PAGE);

describe('the content of a page', () => {
  it('has what the list says of it', () => {
    expect(read({ uri: URI, mimeType: TYPE, text: '<html>', _meta: { more: 1 } })).toEqual({
      content: [{ type: 'resource', resource: { uri: URI, mimeType: TYPE, text: '<html>' } }],
      structured: { ui: { prefersBorder: true } },
    });
  });

  it('has what it says of itself before what the list says', () => {
    const ui = { csp: { connectDomains: ['https://a.example.com', '*'] }, domain: 'b.example.com' };
    const { structured } = read({ mimeType: 'text/html; profile=mcp-app', blob: 'PGh0bWw+', _meta: { ui } });
    expect(structured).toEqual({ ui: { csp: { connectDomains: ['https://a.example.com'] } } });
  });

  it('is the part that is the page', () => {
    const other = { uri: 'ui://weather/other', mimeType: TYPE, text: 'other' };
    const plain = { uri: URI, mimeType: 'text/html', text: 'plain' };
    const { content } = read(null, other, plain, { uri: URI, mimeType: TYPE, text: 'page' });
    expect(content).toEqual([{ type: 'resource', resource: { uri: URI, mimeType: TYPE, text: 'page' } }]);
  });

  it.each([
    ['no part', []],
    ['a part of another address', [{ uri: 'ui://bank/login', mimeType: TYPE, text: '<html>' }]],
    ['a part of another type', [{ uri: URI, mimeType: 'text/html', text: '<html>' }]],
    ['a part without content', [{ uri: URI, mimeType: TYPE }]],
    ['bytes that are none', [{ uri: URI, mimeType: TYPE, blob: '%%%' }]],
  ])('is refused if there is %s', (_, contents) => {
    expect(() => pageAnswer({ contents }, URI, PAGE)).toThrow('the result has ');
  });

  it('is refused if it is no list', () => {
    expect(() => pageAnswer({ contents: 'html' }, URI, PAGE)).toThrow('has no page of the type');
  });
});
