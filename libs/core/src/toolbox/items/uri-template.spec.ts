import fc from 'fast-check';
import { uriMatcher } from './uri-template.js';

describe('uriMatcher', () => {
  it.each([
    ['test://template/{id}/data', 'test://template/123/data', true],
    ['test://template/{id}/data', 'test://template/1/2/data', false],
    ['test://template/{id}/data', 'test://template/123', false],
    ['file:///{+path}', 'file:///a/b/c.txt', true],
    ['file:///{+path}', 'http:///a', false],
    ['db://{table}/rows{?limit,offset}', 'db://users/rows?limit=3', true],
    ['db://{table}/rows{?limit,offset}', 'db://users/rows', true],
    ['{+any}b{id}', 'xb/bY', true],
    ['a:{x}{y}', 'a:', true],
  ])('%s, %s: %s', (template, uri, fits) => {
    expect(uriMatcher(template)(uri)).toBe(fits);
  });

  it.each(['a:no-expression', 'a:{open', 'a:{}', 'a:{x}}', `a:${'x'.repeat(510)}{x}`, `a:${'{x}/'.repeat(17)}`])(
    'matches no URI with a malformed or too large template: %s',
    (template) => {
      expect(uriMatcher(template)(template.replaceAll('{x}', 'x'))).toBe(false);
    },
  );

  it.each(['/..', '/../x', '/.', '/a/..', '/%2e%2e/x', '/.%2E', '%2f..', '\\..\\x', '/..?a', '/..%2fx'])(
    'matches no URI that leaves its folder: %s',
    (end) => {
      expect(uriMatcher('file:///{+path}')(`file:///a${end}`)).toBe(false);
    },
  );

  it('fits each expansion of its variables', () => {
    const word = fc.stringMatching(/^[a-z0-9_-]{0,12}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 8 }), (pairs) => {
        const template = `x:${pairs.map(([literal]) => `${literal}/{v}`).join('')}`;
        const uri = `x:${pairs.map(([literal, value]) => `${literal}/${value}`).join('')}`;
        return uriMatcher(template)(uri);
      }),
    );
  });
});
