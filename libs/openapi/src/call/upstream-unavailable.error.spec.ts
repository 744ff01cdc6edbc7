import { UpstreamUnavailableError, verdictOf } from './upstream-unavailable.error.js';

describe('what an outcome shows of the server', () => {
  it.each([
    [200, 'up'],
    [404, 'up'],
    [500, 'up'],
    [502, 'down'],
    [503, 'down'],
    [504, { subject: 'op', limit: 1 }],
  ])('HTTP %d: %j', (status, verdict) => {
    expect(verdictOf({ value: { status } }, 'op')).toEqual(verdict);
  });

  it.each([
    [new UpstreamUnavailableError(new Error('down')), 'down'],
    [new UpstreamUnavailableError(new Error('no time left'), true), { subject: 'op', limit: 1 }],
    [new Error('given up'), 'unknown'],
  ])('%p: %j', (error, verdict) => {
    expect(verdictOf({ error }, 'op')).toEqual(verdict);
  });
});
