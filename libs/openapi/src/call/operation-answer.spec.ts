import { Secrets } from '@tool-search/core/egress';
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
