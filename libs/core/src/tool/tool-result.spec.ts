import { contentText, failureOf, resultText, type ToolResult } from './tool-result.js';
import { isToolSearchError, TOOL_SEARCH_ERROR_CODES, ToolSearchError } from './tool-search.error.js';

describe('failureOf', () => {
  it('keeps the words of our own errors and leaves the cause behind', () => {
    const error = new ToolSearchError('TOOL_FORBIDDEN', 'Not for you.', {
      hint: 'Ask.',
      cause: new Error('SELECT secret'),
    });
    expect(failureOf(error)).toEqual({ ok: false, code: 'TOOL_FORBIDDEN', message: 'Not for you.', hint: 'Ask.' });
  });

  it('says when to call again, to programs and to models', () => {
    const refused = failureOf(new ToolSearchError('RATE_LIMITED', 'Too many.', { retryAfterSeconds: 7 }));
    expect(refused).toEqual({ ok: false, code: 'RATE_LIMITED', message: 'Too many.', retryAfterSeconds: 7 });
    expect(JSON.parse(resultText(refused))).toEqual(refused);
  });

  it.each([new Error('password=hunter2'), 'hunter2', { message: 'hunter2', code: 'TOOL_FAILED' }, undefined, null])(
    'does not repeat other thrown values: %p',
    (thrown) => {
      const failure = failureOf(thrown);
      expect(failure.code).toBe('INTERNAL');
      expect(failure.hint).toBeTruthy();
      expect(JSON.stringify(failure)).not.toContain('hunter2');
    },
  );
});

describe('a hint that names meta tools', () => {
  const error = new ToolSearchError('TOOL_FAILED', 'No.', {
    hint: ({ search, get }) => search && `Use ${search}.${get === undefined ? '' : ` Read it with ${get}.`}`,
  });

  it('has the default names for programs, and those of its model for a model', () => {
    expect(error.hint).toBe('Use tool_search. Read it with tool_get.');
    expect(failureOf(error).hint).toBe('Use tool_search. Read it with tool_get.');
    expect(failureOf(error, { search: 'find', get: 'a-$&_1' }).hint).toBe('Use find. Read it with a-$&_1.');
    expect(failureOf(error, { search: 'find' }).hint).toBe('Use find.');
    expect(failureOf(error, {})).not.toHaveProperty('hint');
  });

  it('stays as it is where it is a text, whatever stands in it', () => {
    const hint = 'Use tool_search. Read it with tool_get.';
    expect(failureOf(new ToolSearchError('TOOL_FAILED', 'No.', { hint }), { search: 'find' }).hint).toBe(hint);
  });

  it('is the text of an error from an older copy of the package', () => {
    const older = Object.assign(new Error('No.'), { name: 'ToolSearchError', code: 'TOOL_FAILED', hint: 'Ask.' });
    expect(failureOf(older, { search: 'find' })).toEqual({
      ok: false,
      code: 'TOOL_FAILED',
      message: 'No.',
      hint: 'Ask.',
    });
  });
});

describe('ToolSearchError', () => {
  it('is recognised by name and code, also when it comes from another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), { name: 'ToolSearchError', code: 'INTERNAL' });
    expect(isToolSearchError(foreign)).toBe(true);
    expect(isToolSearchError(new Error('x'))).toBe(false);
    expect(isToolSearchError({ name: 'ToolSearchError', code: 'INTERNAL' })).toBe(false);
  });

  it('has codes that are unique and in one form', () => {
    expect(new Set(TOOL_SEARCH_ERROR_CODES).size).toBe(TOOL_SEARCH_ERROR_CODES.length);
    for (const code of TOOL_SEARCH_ERROR_CODES) expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
  });
});

describe('contentText', () => {
  it('joins what can be read and names what cannot', () => {
    expect(
      contentText([
        { type: 'text', text: 'one' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'file:///a' },
        { type: 'resource', resource: { uri: 'file:///b', text: 'two' } },
        { type: 'resource', resource: { uri: 'file:///c', blob: 'AAAA' } },
      ]),
    ).toBe('one\n\n[image image/png]\n\n[resource file:///a]\n\ntwo\n\n[resource file:///c]');
  });
});

describe('resultText', () => {
  const text = (said: string) => ({ type: 'text', text: said }) as const;
  it.each<[ToolResult, string]>([
    [{ ok: true, content: [text('a'), text('b')], structured: { c: 1 } }, 'a\n\nb'],
    [{ ok: true, content: [], structured: { c: 1 } }, '{"c":1}'],
    [{ ok: true, content: [] }, 'The tool ran and returned nothing.'],
    [{ ok: true, content: [text('a')], truncated: true }, 'a\n\n[cut: the result was too large]'],
    [{ ok: true, content: [], truncated: true }, '[cut: the result was too large]'],
    [
      { ok: true, content: [text('a')], truncated: true, receipt: '[r]' },
      'a\n\n[cut: the result was too large]\n\n[r]',
    ],
    [{ ok: true, content: [], structured: 1, receipt: '[r]' }, '1\n\n[r]'],
    [{ ok: false, code: 'TOOL_FORBIDDEN', message: 'No.' }, '{"ok":false,"code":"TOOL_FORBIDDEN","message":"No."}'],
    [
      { ok: false, code: 'TOOL_FAILED', message: 'No.', hint: 'Do.', content: [text('why')], receipt: '[r]' },
      '{"ok":false,"code":"TOOL_FAILED","message":"No.","hint":"Do.","content":"why"}\n\n[r]',
    ],
  ])('of %j is %j', (result, expected) => {
    expect(resultText(result)).toBe(expected);
  });
});
