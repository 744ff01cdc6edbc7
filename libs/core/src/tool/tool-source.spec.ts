import { toOutput } from './tool-source.js';

describe('toOutput', () => {
  it.each([
    [undefined, { content: [] }],
    [null, { content: [] }],
    ['done', { content: [{ type: 'text', text: 'done' }] }],
    ['', { content: [{ type: 'text', text: '' }] }],
    [0, { content: [{ type: 'text', text: '0' }], structured: 0 }],
    [false, { content: [{ type: 'text', text: 'false' }], structured: false }],
    [{ a: [1] }, { content: [{ type: 'text', text: '{"a":[1]}' }], structured: { a: [1] } }],
    [
      new Date(0),
      { content: [{ type: 'text', text: '"1970-01-01T00:00:00.000Z"' }], structured: '1970-01-01T00:00:00.000Z' },
    ],
    [() => 1, { content: [] }],
  ])('turns %p into %j', (value, output) => {
    expect(toOutput(value)).toEqual(output);
  });

  it('gives structured content that later changes do not reach', () => {
    const value = { list: [1] };
    const { structured } = toOutput(value);
    value.list.push(2);
    expect(structured).toEqual({ list: [1] });
  });
});
