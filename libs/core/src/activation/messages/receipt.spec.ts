import fc from 'fast-check';
import { expectSame } from '../../testing/contracts/expect-same.js';
import { receiptFor, toolsInReceipts } from './receipt.js';

const SEAL = { of: ['acme', 'ada', 'session', 's1'], secret: '' };
const read = (text: string, seal = SEAL) => toolsInReceipts(text, seal);

describe('a receipt', () => {
  it('is one short line, and names what it is for', () => {
    expect(receiptFor(['billing.refund', 'crm.find_contact'], SEAL)).toMatch(
      /^\[tool-search\/1 billing\.refund crm\.find_contact #[\w-]{16}\]$/,
    );
    expect(receiptFor([], SEAL)).toBe('');
  });

  it('is read at any position of a text, also in JSON; of several, the last four count', () => {
    const receipt = receiptFor(['a.b'], SEAL);
    for (const text of [
      receipt,
      `x ${receipt}`,
      `${receipt}\n\nand more`,
      JSON.stringify({ a: [`q "${receipt}" r`] }),
    ]) {
      expect(read(text)).toEqual(['a.b']);
    }
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => receiptFor([name], SEAL));
    expect(read(many.join(' '))).toEqual(['b', 'c', 'd', 'e']);
  });

  it('does not hold for another run, session, user, tenant or secret', () => {
    const receipt = receiptFor(['a.b'], SEAL);
    for (const [place, other] of ['globex', 'bob', 'run', 's2'].entries()) {
      expect(read(receipt, { ...SEAL, of: SEAL.of.with(place, other) })).toEqual([]);
    }
    expect(read(receipt, { ...SEAL, of: ['acme', 'ada', 'session s1'] })).toEqual([]);
    expect(read(receipt, { ...SEAL, secret: 'a secret of ours' })).toEqual([]);
    expect(read(receiptFor(['a.b'], { ...SEAL, secret: 'x' }), { ...SEAL, secret: 'x' })).toEqual(['a.b']);
  });

  it('is passed over when anything about it was changed', () => {
    const receipt = receiptFor(['a.b', 'c.d'], SEAL);
    const changed = fc
      .tuple(fc.nat(receipt.length - 1), fc.string({ minLength: 1, maxLength: 1 }))
      .map(([at, sign]) => receipt.slice(0, at) + sign + receipt.slice(at + 1));
    fc.assert(
      fc.property(
        fc.oneof(
          changed,
          fc.nat(receipt.length - 1).map((at) => receipt.slice(0, at)),
        ),
        (text) => expectSame(read(text), text === receipt ? ['a.b', 'c.d'] : []),
      ),
      { numRuns: 300 },
    );
  });

  it('returns the tools that it was made from, in any surrounding text', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,128}$/);
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 130 });
    const around = fc.oneof(fc.string(), fc.constantFrom('[tool-search/1 ', '[tool-search/1 a #', ' #]', '\n'));
    fc.assert(
      fc.property(names, around, fc.string(), (some, before, behind) => {
        expectSame(read(before + receiptFor(some, SEAL) + behind), some);
      }),
      { numRuns: 200 },
    );
  });

  it('costs no more time for a text that is made to cost some', () => {
    const hostile = [
      '[tool-search/1 '.repeat(200_000),
      `[tool-search/1 ${'a '.repeat(1_000_000)}`,
      `[tool-search/1 ${'a'.repeat(1_000_000)} #`,
      `${'[tool-search/1 a #0123456789abcdef]'.repeat(50_000)}`,
    ];
    for (const text of hostile) expect(read(text)).toEqual([]);
  });
});
