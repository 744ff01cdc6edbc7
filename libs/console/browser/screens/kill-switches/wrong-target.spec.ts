import { killSwitchTarget } from '@tool-search/core/internal';
import { targetName } from '../../parts/words.js';
import { wrongTarget } from './wrong-target.js';

/** Whether the server takes it. */
function isTaken(kind: string, value: string): boolean {
  try {
    killSwitchTarget({ kind, value });
    return true;
  } catch {
    return false;
  }
}

describe('a typed target', () => {
  it.each([
    ['tool', 'billing.refund_invoice'],
    ['tool', 'billing.refund_*'],
    ['tool', 'a b'],
    ['tool', 'a'.repeat(129)],
    ['namespace', 'billing'],
    ['namespace', 'billing.?'],
    ['glob', 'billing.*'],
    ['glob', 'billing refund'],
    ['glob', '*'.repeat(257)],
    ['tag', 'finance'],
    ['tag', 'x*'],
    ['tag', 'a'.repeat(65)],
    ['side_effects', 'write'],
  ])('of the choice %s is wrong exactly where the server refuses it: %.20s', (kind, value) => {
    expect(wrongTarget(kind, value) === undefined).toBe(isTaken(kind, value));
  });

  it.each(['tool', 'namespace'])('that is a pattern names the choice for patterns: %s', (kind) => {
    const wrong = wrongTarget(kind, 'billing.*');
    expect(wrong?.instead).toBe('glob');
    expect(wrong?.words).toContain(`choose “${targetName('glob')}” under “Turn off”`);
  });
});
