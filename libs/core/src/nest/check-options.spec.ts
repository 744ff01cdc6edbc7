import { checkOptions } from './check-options.js';
import type { ToolSearchModuleOptions } from './tool-search.options.js';

const withControl = (control: ToolSearchModuleOptions['control']) => () =>
  checkOptions({ context: () => ({ tenantId: 't' }), control });

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
      'control.pollMs and control.readDeadlineMs together must be at most a third of control.closedAfterMs.';
    expect(withControl(control)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION', message }));
  });
});
