import { Secrets } from '@tool-search/core/source';
import { operationAnswer } from './operation-answer.js';

const answerTo = (said: string, maxTokens = 0) =>
  operationAnswer(
    {
      status: 200,
      headers: new Headers({ 'content-type': 'application/json' }),
      body: { bytes: Buffer.from(said), cut: false },
    },
    new Secrets(),
    maxTokens,
  );

describe('numbers of an answer', () => {
  it('stay what they are where a JavaScript number would round them', () => {
    const said = String.raw`{"id":12345678901234567890,"far":1e999,"small":-1.5e3,"text":"\"12345678901234567890","k\\":[9007199254740993]}`;
    expect(answerTo(said)).toEqual({
      content: [{ type: 'text', text: said }],
      structured: {
        id: '12345678901234567890',
        far: '1e999',
        small: -1500,
        text: '"12345678901234567890',
        'k\\': ['9007199254740993'],
      },
    });
  });

  it('stay so in an answer that is shortened', () => {
    const [first] = answerTo(`{"id":12345678901234567890,"pad":"${'x'.repeat(10_000)}"}`, 200).content;
    expect(JSON.parse((first as { text: string }).text)).toMatchObject({ id: '12345678901234567890' });
  });

  it('of a megabyte of quotes and digits are read in no time', () => {
    expect(answerTo(`{"a":"${'\\"'.repeat(400_000)}","b":1234567890123456789}`).structured).toMatchObject({
      b: '1234567890123456789',
    });
  });
});

describe('the charset of an answer', () => {
  const read = (bytes: Buffer, type: string) =>
    operationAnswer(
      { status: 200, headers: new Headers({ 'content-type': type }), body: { bytes, cut: false } },
      new Secrets(),
      0,
    );
  const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
  const euro = Buffer.from([0x80, 0x31]);

  it.each<[string, Buffer, string, string]>([
    ['UTF-8', Buffer.from('zażółć'), 'text/plain; charset=utf-8', 'zażółć'],
    ['latin1', Buffer.from('café', 'latin1'), 'text/plain; charset=ISO-8859-1', 'café'],
    ['latin1 in quotes', Buffer.from('café', 'latin1'), 'text/plain; format=flowed; charset="latin1"', 'café'],
    ['windows-1252', euro, 'text/plain;charset=windows-1252', '€1'],
    ['Shift JIS', Buffer.from([0x93, 0xfa, 0x95, 0x74]), 'text/plain; charset=Shift_JIS', '日付'],
    ['UTF-16 with a mark', Buffer.from('\ufeffäb', 'utf16le'), 'text/plain; charset=utf-16', 'äb'],
    ['UTF-16, high byte first, with a mark', swapped('\ufeffäb'), 'text/plain; charset=utf-16', 'äb'],
    ['UTF-16 with a mark and no charset', Buffer.from('\ufeffäb', 'utf16le'), 'text/plain', 'äb'],
    ['UTF-16 without a mark, low byte first', Buffer.from('ab', 'utf16le'), 'text/plain; charset=utf-16', 'ab'],
    ['UTF-16 without a mark, high byte first', swapped('ab'), 'text/plain; charset=utf-16', 'ab'],
    ['UTF-16 of other scripts without a mark', swapped('日付'), 'text/plain; charset=utf-16', '日付'],
    ['UTF-16LE by name', Buffer.from('äb', 'utf16le'), 'text/plain; charset=UTF-16LE', 'äb'],
    ['a mark against the charset', Buffer.from('\ufeffäb'), 'text/plain; charset=latin1', 'äb'],
    ['no charset and no UTF-8', Buffer.from('café', 'latin1'), 'text/plain', 'café'],
    ['an unknown charset', Buffer.from('zażółć'), 'text/plain; charset=x-nobody', 'zażółć'],
    [
      'XML that names its own',
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb1</a>', 'latin1'),
      'application/xml',
      '<?xml version="1.0" encoding="ISO-8859-2"?><a>ą</a>',
    ],
    [
      'HTML that names its own',
      Buffer.from('<meta charset="windows-1251"><p>\xc4', 'latin1'),
      'text/html',
      '<meta charset="windows-1251"><p>Д',
    ],
    [
      'UTF-8 with one broken byte',
      Buffer.concat([Buffer.from('zażółć'), Buffer.from([0xff])]),
      'text/plain',
      'zażółć\ufffd',
    ],
  ])('is %s', (_, bytes, type, expected) => {
    expect(read(bytes, type)).toEqual({ content: [{ type: 'text', text: expected }] });
  });

  it('is the same for structured content and for errors', () => {
    const json = Buffer.from('{"city":"Zürich"}', 'utf16le');
    expect(read(json, 'application/json; charset=utf-16le').structured).toEqual({ city: 'Zürich' });
    expect(read(Buffer.from('{"city":"Zürich"}', 'latin1'), 'application/json;charset=latin1').structured).toEqual({
      city: 'Zürich',
    });
    const headers = new Headers({ 'content-type': 'text/plain; charset=latin1' });
    const body = { bytes: Buffer.from('gefällt nicht', 'latin1'), cut: false };
    const { content } = operationAnswer({ status: 400, headers, body }, new Secrets(), 0);
    expect(content).toEqual([{ type: 'text', text: 'HTTP 400 Bad Request\ngefällt nicht' }]);
  });
});

describe('where a result is', () => {
  const answered = (status: number, headers: Record<string, string>, said = '') =>
    operationAnswer(
      { status, headers: new Headers(headers), body: { bytes: Buffer.from(said), cut: false } },
      new Secrets(),
      0,
    );

  it.each([
    [201, { location: '/orders/7' }, ['HTTP 201 Created, without content', '[Location: /orders/7]']],
    [
      202,
      { location: 'https://api.example.com/jobs/7' },
      ['HTTP 202 Accepted, without content', '[Location: https://api.example.com/jobs/7]'],
    ],
    [
      202,
      { 'Operation-Location': '/operations/7' },
      ['HTTP 202 Accepted, without content', '[Operation-Location: /operations/7]'],
    ],
    [204, {}, ['HTTP 204 No Content, without content']],
  ])('is shown with a status of %s', (status, headers, expected) => {
    expect(answered(status, headers).content).toEqual(expected.map((text) => ({ type: 'text', text })));
  });

  it('is shown beside the content, which stays as it is', () => {
    const answer = answered(201, { location: '/orders/7', 'content-type': 'application/json' }, '{"id":7}');
    expect(answer.structured).toEqual({ id: 7 });
    expect(answer.content).toEqual([
      { type: 'text', text: '{"id":7}' },
      { type: 'text', text: '[Location: /orders/7]' },
    ]);
  });

  it.each(['\t', '\u00ad', '\u00ff\t'])('holds no credential that %j stood in', (removed) => {
    const secrets = new Secrets();
    secrets.add('sk-live-12345678');
    const headers = new Headers({ location: `/x?k=sk-live-${removed}12345678` });
    const answer = operationAnswer({ status: 201, headers, body: { bytes: Buffer.alloc(0), cut: false } }, secrets, 0);
    expect(answer.content.at(-1)).toEqual({ type: 'text', text: '[Location: /x?k=[removed]]' });
  });

  it('holds no credential, and is not shown of an error', () => {
    const secrets = new Secrets();
    secrets.add('s3cret-token-1234');
    const headers = new Headers({ location: '/jobs?key=s3cret-token-1234' });
    const body = { bytes: Buffer.alloc(0), cut: false };
    expect(JSON.stringify(operationAnswer({ status: 202, headers, body }, secrets, 0))).not.toContain('s3cret');
    expect(operationAnswer({ status: 409, headers, body }, secrets, 0).content).toEqual([
      { type: 'text', text: 'HTTP 409 Conflict' },
    ]);
  });
});
