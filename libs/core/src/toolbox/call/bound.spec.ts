import fc from 'fast-check';
import type { ToolContent } from '../../tool/tool-definition.js';
import { boundOutput } from './bound.js';

const text = (value: string): ToolContent => ({ type: 'text', text: value });
const image = (size: number): ToolContent => ({ type: 'image', data: 'A'.repeat(size), mimeType: 'image/png' });

describe('boundOutput', () => {
  it('leaves alone what fits', () => {
    const output = { content: [text('é'), image(10)], structured: { a: 1 } };
    expect(boundOutput(output, 1000)).toEqual({ ...output, truncated: false });
    expect(boundOutput({ content: [] }, 0)).toEqual({ content: [], truncated: false });
    expect(boundOutput({ content: [text('é')] }, 2)).toEqual({ content: [text('é')], truncated: false });
  });

  it('cuts text between two characters, never within one', () => {
    expect(boundOutput({ content: [text('aé😀')] }, 3).content).toEqual([text('aé')]);
    expect(boundOutput({ content: [text('aé😀')] }, 2).content).toEqual([text('a')]);
    expect(boundOutput({ content: [text('aé😀')] }, 6).content).toEqual([text('aé')]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(60), (value, maxBytes) => {
        const { content, truncated } = boundOutput({ content: [text(value)] }, maxBytes);
        const [cut = text('')] = content;
        const kept = cut.type === 'text' ? cut.text : '';
        expect(value.startsWith(kept)).toBe(true);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(maxBytes);
        // A character has at most four bytes, so at most three bytes of the limit stay unused.
        if (truncated) expect(Buffer.byteLength(kept)).toBeGreaterThan(maxBytes - 4);
        expect(truncated).toBe(Buffer.byteLength(value) > maxBytes);
      }),
      { numRuns: 1000 },
    );
  });

  it('drops what cannot be cut, and still takes smaller blocks after it', () => {
    const { content, truncated } = boundOutput({ content: [image(1000), text('short')] }, 100);
    expect([content, truncated]).toEqual([[text('short')], true]);
  });

  it('counts all blocks together', () => {
    const { content, truncated } = boundOutput({ content: [text('aaaa'), text('bbbb'), text('cccc')] }, 6);
    expect([content, truncated]).toEqual([[text('aaaa'), text('bb')], true]);
  });

  it('counts blocks as well, since empty ones cost no bytes', () => {
    const { content, truncated } = boundOutput({ content: Array.from({ length: 1001 }, () => text('')) }, 10);
    expect([content.length, truncated]).toEqual([1000, true]);
  });

  it('drops structured content that does not fit: half an object would be another one', () => {
    const output = { content: [text('x')], structured: { list: 'x'.repeat(100) } };
    expect(boundOutput(output, 50)).toEqual({ content: [text('x')], truncated: true });
  });
});

describe('the bound', () => {
  it('counts content and structured content together', () => {
    const text = 'x'.repeat(600);
    const { content, structured, truncated } = boundOutput(
      { content: [{ type: 'text', text }], structured: { text } },
      1000,
    );
    expect([content, structured, truncated]).toEqual([[{ type: 'text', text }], undefined, true]);
  });

  it('passes on only measured parts of a text block', () => {
    const stowaway = { type: 'text', text: 'hi', junk: 'x'.repeat(10_000) } as { type: 'text'; text: string };
    expect(boundOutput({ content: [stowaway] }, 1000).content).toEqual([{ type: 'text', text: 'hi' }]);
  });
});
