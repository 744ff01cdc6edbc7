import fc from 'fast-check';
import { idFrom, type CallRecord } from '@tool-search/core/stores';
import { CSV_HEAD, csvLine } from './call-lines.js';

const RECORD: CallRecord = {
  id: idFrom(1),
  at: 1,
  kind: 'call',
  tenantId: 'acme',
  userId: 'ada',
  sessionId: '',
  runId: 'r1',
  agentIds: [],
  step: 1,
  callId: '',
  tool: 'crm.find',
  definitionHash: '',
  decision: 'allow',
  layer: 'approval',
  rule: 'default',
  reason: '',
  outcome: 'ok',
  controlRevision: 0,
  catalogRevision: 0,
  policyHash: '',
  narrowed: false,
  ms: 1,
  argumentBytes: 0,
  resultBytes: 0,
  cached: false,
  tools: [],
  toolCount: 0,
};

/** The cells of one line, as RFC 4180 defines them. */
function cellsOf(line: string): readonly string[] {
  const cells = line.slice(0, -2).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/gy);
  return Array.from(cells, ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

const at = (name: string) => CSV_HEAD.trim().split(',').indexOf(name);

describe('a line of CSV', () => {
  it('carries any text in its own cell, and no formula', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', ' =', '\n='), fc.string())
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, text, (userId, reason) => {
        const cells = cellsOf(csvLine({ ...RECORD, userId, reason }));
        expect(cells).toHaveLength(CSV_HEAD.split(',').length);
        for (const [name, given] of [
          ['userId', userId],
          ['reason', reason],
        ] as const) {
          const cell = cells[at(name)] ?? '';
          expect([given, `'${given}`]).toContain(cell);
          expect(cell).not.toMatch(/^\s*[=+\-@]/);
        }
      }),
    );
  });

  it('leaves ordinary texts and numbers as they are', () => {
    const cells = cellsOf(csvLine({ ...RECORD, ms: 0.5, agentIds: ['a', 'b'], result: 'one, "two"\nthree' }));
    expect([cells[at('tool')], cells[at('ms')], cells[at('agentIds')], cells[at('result')]]).toEqual([
      'crm.find',
      '0.5',
      'a b',
      'one, "two"\nthree',
    ]);
    expect(cells[at('arguments')]).toBe('');
  });
});
