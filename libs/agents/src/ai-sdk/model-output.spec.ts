import type { ToolResult } from '@tool-search/core';
import { modelOutput } from './model-output.js';

const RECEIPT = '[tool-search/1 a.b #0123456789abcdef]';
const IMAGE = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;

describe('the receipt of an activation', () => {
  it.each<[ToolResult, object]>([
    [
      { ok: true, content: [{ type: 'text', text: 'x' }] },
      { type: 'text', value: `x\n\n${RECEIPT}` },
    ],
    [
      { ok: true, content: [], structured: { a: 1 } },
      { type: 'text', value: `{"a":1}\n\n${RECEIPT}` },
    ],
    [
      { ok: true, content: [IMAGE] },
      { type: 'content', value: [expect.objectContaining({ type: 'file' }), { type: 'text', text: RECEIPT }] },
    ],
    [
      { ok: false, code: 'TOOL_FAILED', message: 'No.' },
      { type: 'error-json', value: { ok: false, code: 'TOOL_FAILED', message: 'No.', receipt: RECEIPT } },
    ],
  ])('is in what a model reads of %j', (result, expected) => {
    expect(modelOutput({ ...result, receipt: RECEIPT })).toEqual(expected);
  });

  it('leaves no empty text, and names an image that not every provider reads', () => {
    const blank = { type: 'text', text: ' ' } as const;
    const tiff = { ...IMAGE, mimeType: 'image/tiff' };
    expect(modelOutput({ ok: true, content: [blank, tiff, IMAGE] })).toEqual({
      type: 'content',
      value: [{ type: 'text', text: '[image image/tiff]' }, expect.objectContaining({ type: 'file' })],
    });
    expect(modelOutput({ ok: true, content: [tiff] })).toEqual({ type: 'text', value: '[image image/tiff]' });
    expect(modelOutput({ ok: true, content: [blank] })).toEqual({
      type: 'text',
      value: 'The tool ran and returned nothing.',
    });
  });

  it('is not added to a result that activated no tool', () => {
    expect(modelOutput({ ok: true, content: [], structured: { a: 1 } })).toEqual({ type: 'json', value: { a: 1 } });
  });
});
