import type { ControlTuning } from '../../access/control/control-plane.js';
import type { SourceLimits } from '../../tool/source/source-options.js';
import { CodeSource } from '../tools/code.source.js';
import { checkedOptions, type ToolSearchModuleOptions } from './tool-search.options.js';

const withControl = (tuning: ControlTuning, closedAfterMs?: number) => () =>
  checkedOptions({ context: () => ({ tenantId: 't' }), control: { closedAfterMs }, tuning: { control: tuning } });

describe('options of freshness', () => {
  it.each([
    [{}, undefined],
    [{ pollMs: 500, readDeadlineMs: 500, staleAfterMs: 2000 }, 3000],
    [{ pollMs: 9500 }, undefined],
  ])('%j leave time for three looks within %j ms', (tuning, closedAfterMs) => {
    expect(withControl(tuning, closedAfterMs)).not.toThrow();
  });

  it.each([
    [{ readDeadlineMs: 60_000, staleAfterMs: 2000 }, 3000],
    [{ pollMs: 500, readDeadlineMs: 501, staleAfterMs: 2000 }, 3000],
    [{ pollMs: 9501 }, undefined],
  ])('%j leave too little within %j ms, which names all three', (tuning, closedAfterMs) => {
    const message =
      'ToolSearchModule: tuning.control.pollMs must be at most a third of control.closedAfterMs, together with tuning.control.readDeadlineMs.';
    expect(withControl(tuning, closedAfterMs)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION', message }),
    );
  });
});

describe('options that moved', () => {
  const take = (options: object) => () => checkedOptions({ context: () => ({ tenantId: 't' }), ...options } as never);

  it.each([
    [{ control: { pollMs: 100 } }, 'control.pollMs is now tuning.control.pollMs.'],
    [{ search: { cache: false } }, 'search.cache is now tuning.search.cache.'],
    [{ search: { gaps: { idleMs: 1000 } } }, 'search.gaps.idleMs is now tuning.search.gaps.idleMs.'],
    [{ results: { maxHeldBytes: 1 } }, 'results.maxHeldBytes is now tuning.results.maxHeldBytes.'],
    [{ record: { flushEveryMs: 100 } }, 'record.flushEveryMs is now tuning.record.flushEveryMs.'],
    [{ limits: { leaseSlackMs: 1, hard: 1 } }, 'limits.leaseSlackMs is now tuning.limits.leaseSlackMs.'],
    [{ tuning: { control: { closedAfterMs: 1 } } }, 'tuning.control has no option "closedAfterMs".'],
  ])('%j is refused with the place where it is now', (options, sentence) => {
    const message = `ToolSearchModule: ${sentence}`;
    expect(take(options)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION', message }));
  });

  it('of a source are refused in the same way', () => {
    const limits = { schemaDepth: 64 } as SourceLimits;
    expect(() => new CodeSource({ name: 'crm', tools: [], limits })).toThrow(
      'limits.schemaDepth is now tuning.sources.schemaDepth of ToolSearchModule, for all sources.',
    );
  });
});

describe('options of activations', () => {
  const withActivation = (activation: ToolSearchModuleOptions['activation']) => () =>
    checkedOptions({ context: () => ({ tenantId: 't' }), activation });

  it.each<NonNullable<ToolSearchModuleOptions['activation']>[]>([
    [{ whenFull: 'demote', pinned: ['billing.*'], cacheTtlMs: 1000 }],
    [{ storage: 'messages', receiptSecret: 'sixteen letters!', whenFull: 'refuse' }],
  ])('%j are accepted', (activation) => {
    expect(withActivation(activation)).not.toThrow();
  });

  it.each([
    [{ whenFull: 'forget' }, 'activation.whenFull'],
    [{ pinned: ['a b'] }, 'activation.pinned'],
    [{ pinned: 'a.*' }, 'activation.pinned'],
    [{ cacheTtlMs: 999 }, 'activation.cacheTtlMs'],
    [{ storage: 'context' }, 'activation.storage'],
    [{ storage: 'messages', receiptSecret: 'fifteen letters' }, 'activation.receiptSecret'],
    [{ receiptSecret: 'sixteen letters!' }, 'activation.receiptSecret'],
    [{ storage: 'messages', whenFull: 'demote' }, 'activation.whenFull'],
  ])('%j are refused by name', (activation, message) => {
    expect(withActivation(activation as ToolSearchModuleOptions['activation'])).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION', message: expect.stringContaining(message) }),
    );
  });
});
