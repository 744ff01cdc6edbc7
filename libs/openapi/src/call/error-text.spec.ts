import { errorText } from './error-text.js';

describe('errorText', () => {
  it.each([
    ['JavaScript', 'bad age\nError: x\n    at f (/srv/a.js:1:2)\n    at /srv/b.js:3:4', 'bad age'],
    [
      'Python',
      'bad age\nTraceback (most recent call last):\n  File "/srv/a.py", line 1, in f\nValueError: s3cret',
      'bad age',
    ],
    ['Java', 'bad age\njava.lang.X: y\n\tat com.acme.A.b(A.java:12)\n\tat com.acme.C.d(C.java:7)', 'bad age'],
    ['no trace', 'bad age\nlook at the manual', 'bad age\nlook at the manual'],
    ['a URL with credentials', 'cannot reach postgres://u:p@db', 'cannot reach postgres://[removed]@db'],
  ])('leaves out what a trace of %s says', (_, text, expected) => {
    expect(errorText(text, undefined)).toBe(expected);
  });

  it('leaves out inner parts of JSON, at any depth', () => {
    const value = { errors: [{ message: 'bad age', stackTrace: 'x', debug: {} }], exception: 'y', trace: ['z'] };
    expect(errorText('', value)).toBe('{"errors":[{"message":"bad age"}]}');
  });

  it('is short', () => {
    expect(errorText('x'.repeat(9000), undefined).length).toBeLessThanOrEqual(2001);
    expect(errorText('', { message: 'x'.repeat(9000) }).length).toBeLessThanOrEqual(2000);
  });
});
