import { checkedOptions, type ToolSearchModuleOptions } from './tool-search.options.js';

const withControl = (control: ToolSearchModuleOptions['control']) => () =>
  checkedOptions({ context: () => ({ tenantId: 't' }), control });

describe('options of freshness', () => {
  it.each([[{}], [{ pollMs: 500, readDeadlineMs: 500, staleAfterMs: 2000, closedAfterMs: 3000 }], [{ pollMs: 9500 }]])(
    '%j leave time for three looks',
    (control) => {
      expect(withControl(control)).not.toThrow();
    },
  );

  it.each([
    [{ readDeadlineMs: 60_000, staleAfterMs: 2000, closedAfterMs: 3000 }],
    [{ pollMs: 500, readDeadlineMs: 501, staleAfterMs: 2000, closedAfterMs: 3000 }],
    [{ pollMs: 9501 }],
  ])('%j leave too little, which names both', (control) => {
    const message =
      'ToolSearchModule: control.pollMs must be at most a third of control.closedAfterMs, together with control.readDeadlineMs.';
    expect(withControl(control)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION', message }));
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
