import { Logger } from '@nestjs/common';
import { logFault, loggedEvents, policyFaultLog } from './event-log.js';
import { LogRateLimiter } from './log-rate-limiter.js';

it('writes what a tool threw without what would colour, hide or turn around lines of the log', () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  logFault('docs.read', new Error('outside', { cause: new Error('inside \u001b[2J\u202e secret') }));
  const [[line]] = error.mock.calls as unknown as [[string]];
  error.mockRestore();
  expect(line).toMatch(/^docs\.read failed: Error: outside[^]*inside/);
  for (const hidden of ['\u001b', '\u202e']) expect(line).not.toContain(hidden);
});

it('does not let one source fill the log with its tools, nor keep another one out of it', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const events = loggedEvents();
  for (let at = 0; at < 1_000; at++) {
    events.emit({ type: 'tool.quarantined', source: 'odd', tool: `odd.${at}`, reason: 'changed' });
    events.emit({ type: 'tool.refused', source: 'odd', tool: `odd.r${at}`, code: 'INVALID_TOOL', reason: 'bad' });
  }
  events.emit({ type: 'tool.amended', source: 'docs', tool: 'docs.read', reason: 'renamed an argument' });
  const lines = warn.mock.calls.map(([line]) => String(line));
  warn.mockRestore();
  expect(lines.filter((line) => line.startsWith('odd: '))).toHaveLength(21);
  expect(lines[20]).toMatch(/^odd: more tools were held back/);
  expect(lines.at(-1)).toBe('docs: docs.read: renamed an argument');
});

it('writes one line for a reason that several tools share', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const events = loggedEvents();
  const about = { source: 'crm', tool: 'GET /a', count: 10, reason: 'no schema' };
  events.emit({ type: 'tool.refused', ...about, code: 'INVALID_TOOL' });
  events.emit({ type: 'tool.amended', ...about });
  const lines = warn.mock.calls.map(([line]) => String(line));
  warn.mockRestore();
  expect(lines).toEqual([
    'crm: refused GET /a and 9 more (INVALID_TOOL): no schema',
    'crm: GET /a and 9 more: no schema',
  ]);
});

it('names a visibility policy that fails, with the cause, 20 times a minute', () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const report = policyFaultLog();
  for (let at = 0; at < 1_000; at++) report('PlanPolicy', new Error('the plan service is down'));
  report('FlagPolicy', 'took longer than 500 ms');
  const lines = error.mock.calls.map(([line]) => String(line));
  error.mockRestore();
  expect(lines).toHaveLength(22);
  expect(lines[0]).toMatch(
    /^Visibility policy PlanPolicy failed, so tools are hidden: Error: the plan service is down/,
  );
  expect(lines[20]).toBe('Visibility policy PlanPolicy goes on failing; no more lines for a minute');
  expect(lines[21]).toContain('FlagPolicy');
});

it('takes lines again after a minute', () => {
  let now = 0;
  const allowance = new LogRateLimiter(() => now);
  const taken = () => Array.from({ length: 30 }, () => allowance.next('odd')).filter((next) => next === 'whole').length;
  expect([taken(), taken()]).toEqual([20, 0]);
  now = 60_000;
  expect(taken()).toBe(20);
});
