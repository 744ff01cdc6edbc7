import { type ConsoleCheck, checkConsole } from './console/check-console.js';
import { isQuick, LARGE, type LargeReport, measureLarge } from './console/large-data.js';
import { textTable } from './measuring/text-table.js';
import { main } from './command/command.js';
import { flag, oneOf, text } from './command/options.js';

const MAX_GZIP_BYTES = 70_000;

function isGood(report: ConsoleCheck): boolean {
  const { runs, axeViolations, cspViolations, externalRequests, gzipBytes, tooWide, errors } = report;
  return (
    runs.every(({ interactions }) => interactions.every(({ ok }) => ok)) &&
    axeViolations + cspViolations + externalRequests + tooWide.length + errors.length === 0 &&
    gzipBytes < MAX_GZIP_BYTES
  );
}

function readable({ runs, faults, tooWide, errors, ...counts }: ConsoleCheck): string {
  const heading = ['interaction', ...runs.map(({ adapter, store }) => `${adapter}, ${store}`)];
  const rows = (runs[0]?.interactions ?? []).map(({ name }, index) => [
    name,
    ...runs.map(({ interactions }) => (interactions[index]?.ok ? 'yes' : 'NO')),
  ]);
  const failed = runs.flatMap(({ adapter, store, interactions }) =>
    interactions.filter(({ ok }) => !ok).map(({ name, why }) => `FAILED ${adapter}, ${store}: ${name}: ${why}`),
  );
  return [
    textTable([heading, ...rows]),
    ...failed,
    ...faults,
    ...tooWide,
    ...errors,
    `axe ${counts.axeViolations}, policy ${counts.cspViolations}, other origins ${counts.externalRequests}, ` +
      `${counts.gzipBytes} bytes with gzip, first paint after ${counts.firstPaintMs} ms`,
  ].join('\n');
}

function readableLarge({ tools, killSwitches, calls, screens, typing }: LargeReport): string {
  const ms = (value: number) => value.toFixed(0);
  return [
    `${tools} tools, ${killSwitches} kill switches, ${calls} recorded calls`,
    textTable([
      ['screen', 'from its data to interactive, ms'],
      ...screens.map(({ screen, interactiveMs }) => [screen, ms(interactiveMs)]),
    ]),
    textTable([
      ['typing', 'longest frame, ms', 'longest task, ms'],
      ...typing.map(({ field, longestFrameMs, longestTaskMs }) => [field, ms(longestFrameMs), ms(longestTaskMs)]),
    ]),
    `${isQuick({ screens, typing }) ? 'within' : 'NOT within'} ${LARGE.interactiveMs} ms and ${LARGE.frameMs} ms`,
  ].join('\n');
}

main({
  purpose:
    'What operators do with the console, in Chromium, against the built reference server on Express and Fastify, with SQLite, ' +
    'and with two instances on PostgreSQL if TOOL_SEARCH_TEST_POSTGRES_URL is set. --pictures writes the pictures of ' +
    'docs/console.md, --gallery one of every screen at 1280 pixels in light and dark and at 390. --large only measures the screens with 10,000 tools, 1,000 kill switches and 100,000 recorded calls.',
  options: {
    only: oneOf(['express', 'fastify']),
    pictures: text('FOLDER'),
    gallery: text('FOLDER'),
    large: flag(),
  },
  run: ({ only, pictures, gallery, large }): Promise<ConsoleCheck | LargeReport> => {
    if (large) {
      if ((only ?? pictures ?? gallery) !== undefined) throw new Error('--large takes no other option');
      return measureLarge();
    }
    const database = process.env['TOOL_SEARCH_TEST_POSTGRES_URL'] || undefined;
    if (database === undefined)
      console.error('TOOL_SEARCH_TEST_POSTGRES_URL is not set: two instances on PostgreSQL are left out');
    return checkConsole({ only, pictures, gallery, database });
  },
  text: (report) => ('screens' in report ? readableLarge(report) : readable(report)),
  fault: (report) => {
    if ('screens' in report) return isQuick(report) ? undefined : 'a screen is too slow';
    return isGood(report) ? undefined : 'something failed, as listed above';
  },
});
