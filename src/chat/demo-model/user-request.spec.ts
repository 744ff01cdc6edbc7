import { readRequest } from './user-request.js';

describe('readRequest', () => {
  it.each<[string, string, string[]]>([
    ['Refund invoice inv_1001 with 25 euros because it was charged twice', 'refund', ['invoice']],
    ['What does the file notes/welcome.txt say?', 'read', ['file']],
    ['Which files are in the notes folder?', 'list', ['files', 'folder']],
    ['What is the status of invoice inv_7?', 'get', ['status', 'invoice']],
    ['Please create an issue titled "Bug"', 'create', ['issue']],
    ['Can you add the numbers 17 and 25?', 'add', ['numbers']],
    ['Add 17 and 25', 'add', []],
    ['Read notes/welcome.txt', 'read', ['file']],
    ['Remember that Ada works at Acme', 'remember', ['relation']],
    ['Hello', '', []],
  ])('understands %j', (text, verb, nouns) => {
    expect(readRequest(text)).toMatchObject({ verb, nouns });
  });

  it.each<[string, [string, string][]]>([
    [
      'Write "a; b" to notes/x.txt',
      [
        ['text', 'a; b'],
        ['path', 'notes/x.txt'],
      ],
    ],
    ['Open https://example.com/a?b=1.', [['path', 'https://example.com/a?b=1']]],
    [
      'Close ticket tic_7 of Ada Lovelace.',
      [
        ['id', 'tic_7'],
        ['name', 'Ada Lovelace'],
      ],
    ],
    ['Pay 12.5 euros', [['number', '12.5']]],
    ['Pay 1,250 euros on 2026-03-01', []],
    [
      'Note that Ada works at Acme',
      [
        ['name', 'Ada'],
        ['relation', 'works at'],
        ['name', 'Acme'],
      ],
    ],
    ['Can I read it?', []],
  ])('finds the values in %j', (text, values) => {
    expect(readRequest(text).values.map(({ kind, text: said }) => [kind, said])).toEqual(values);
  });

  it.each([
    ['Which invoices can I refund?', true],
    ['Did you refund inv_1?', true],
    ['Hi, should I delete a.txt?', false],
    ['Show my invoices', true],
    ['Refund inv_1', false],
  ])('knows whether %j only asks for information', (text, isReading) => {
    expect(readRequest(text).isReading).toBe(isReading);
  });

  it.each([
    ['Refund inv_1', true],
    ['Refund inv_1 because it was not delivered', true],
    ['Do not refund inv_1', false],
    ["Please don't refund inv_1", false],
    ['Refund all without inv_1', false],
    ['Refund inv_1 unless it is paid', false],
    ['Refund inv_1 or inv_2', false],
    ['We refunded inv_1', false],
  ])('knows whether %j is a plain order', (text, isPlain) => {
    expect(readRequest(text).isPlain).toBe(isPlain);
  });
});
