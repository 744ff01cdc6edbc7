import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openStores } from '../scenarios/open-stores.js';
import { filled } from '../scenarios/record.scenario.js';
import { openBrowser } from './browser.js';
import { type CheckedServers, withServers } from './checked-servers.js';
import { SCREENS, settled } from './page-faults.js';
import { open, signIn, TOKENS } from './run.js';

/** The bounds of a good screen, in milliseconds. */
export const LARGE = { interactiveMs: 1000, frameMs: 50 } as const;

const KILL_SWITCHES = 1_000;
const CALLS = 100_000;
const WEEK_MS = 7 * 86_400_000;
const KEY_MS = 60;
const WORDS = 'area7.task refund';

/** The fields that search while somebody types. */
const FIELDS: readonly (readonly [screen: string, title: string, field: string])[] = [
  ['tools', 'Tools', 'words'],
  ['explain', 'Why not?', 'tool'],
  ['playground', 'Playground', 'query'],
  ['kill-switches', 'Kill switches', 'value'],
  ['kill-switches', 'Kill switches', 'words'],
  ['calls', 'Calls', 'tool'],
];

/** How quick the screens are with large data. */
export interface LargeReport {
  readonly tools: number;
  readonly killSwitches: number;
  readonly calls: number;
  /** From the arrival of the last answer that a screen shows until the page can be used. */
  readonly screens: readonly { readonly screen: string; readonly interactiveMs: number }[];
  /** While words are typed into a field: the longest time between two frames, and the longest task of 50 ms or more. */
  readonly typing: readonly {
    readonly field: string;
    readonly longestFrameMs: number;
    readonly longestTaskMs: number;
  }[];
}

/** Whether every figure is within {@link LARGE}. */
export function isQuick({ screens, typing }: Pick<LargeReport, 'screens' | 'typing'>): boolean {
  return (
    screens.every(({ interactiveMs }) => interactiveMs <= LARGE.interactiveMs) &&
    typing.every(({ longestFrameMs }) => longestFrameMs <= LARGE.frameMs)
  );
}

/** Fills a SQLite database, starts the server with it, and measures each screen and each field in Chromium. */
export async function measureLarge(): Promise<LargeReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tool-search-large-'));
  const database = join(folder, 'large.sqlite');
  const reports: LargeReport[] = [];
  try {
    await fillCalls(database);
    const env = {
      SQLITE_PATH: database,
      TOOL_SEARCH_ADMIN_WRITES_PER_MINUTE: '1000000',
      TOOL_SEARCH_ADMIN_READS_PER_MINUTE: '1000000',
    };
    const work = async (servers: CheckedServers) => void reports.push(await measured(servers));
    await withServers('express', undefined, work, { env, isWide: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const [report] = reports;
  if (!report) throw new Error('nothing was measured');
  return report;
}

async function fillCalls(database: string): Promise<void> {
  const { calls, close } = await openStores({ database });
  try {
    await filled(calls, CALLS, Date.now() - WEEK_MS);
  } finally {
    await close();
  }
}

async function measured({ servers, admin }: CheckedServers): Promise<LargeReport> {
  for (let index = 0; index < KILL_SWITCHES; index++) {
    const { status, body } = await admin('kill-switches', {
      kind: 'tool',
      value: `area${index % 100}.task_${index}`,
      reason: `measurement ${index}`,
    });
    if (status >= 300) throw new Error(`kill switch ${index} was refused: ${JSON.stringify(body)}`);
  }
  const { body } = await admin('status');
  const counts = body['counts'] as { readonly tools: number; readonly killSwitches: number };
  const { browser, close } = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${servers[0]?.url}/console`);
    await signIn(page, TOKENS.olga);
    await page.locator('h1', { hasText: 'Overview' }).waitFor();
    const screens: LargeReport['screens'][number][] = [];
    for (const [screen, title] of SCREENS) {
      // The overview is already open: another screen comes before it.
      if (screen === '') await open(page, 'audit', 'Audit');
      await settled(page);
      const interactiveMs = Number(await page.evaluate(`(${TO_INTERACTIVE})(${JSON.stringify([screen, title])})`));
      screens.push({ screen: title, interactiveMs });
    }
    const typing: LargeReport['typing'][number][] = [];
    for (const [screen, title, field] of FIELDS) {
      await open(page, screen, title);
      await settled(page);
      typing.push({ field: `${title}: ${field}`, ...(await typed(page, field)) });
    }
    return { tools: counts.tools, killSwitches: counts.killSwitches, calls: CALLS, screens, typing };
  } finally {
    await close();
  }
}

// The code below runs in the page, where the types of this program do not exist.

/**
 * Opens a screen and waits until it has all its data, for five frames. The first of these frames, after whatever runs in
 * it, is when the page can be used. Answers about the status are no data of a screen.
 */
const TO_INTERACTIVE = `async ([screen, title]) => {
  performance.clearResourceTimings();
  const began = performance.now();
  location.hash = '#/' + screen;
  let since;
  for (let calm = 0; calm < 5; ) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    if (performance.now() - began > 30000) throw new Error(title + ' is not there after 30 seconds');
    const isThere = document.querySelector('h1')?.textContent === title && !document.querySelector('.loading');
    if (isThere) since ??= performance.now();
    else since = undefined;
    calm = isThere ? calm + 1 : 0;
  }
  const data = performance
    .getEntriesByType('resource')
    .filter(({ name, responseEnd }) => name.includes('/admin/tools/') && !name.endsWith('/status') && responseEnd <= since);
  return since - Math.max(began, ...data.map(({ responseEnd }) => responseEnd));
}`;

const WATCH_FRAMES = `() => {
  const watched = { frames: 0, tasks: 0, isOn: true };
  window.watched = watched;
  new PerformanceObserver((list) => {
    if (watched.isOn) watched.tasks = Math.max(watched.tasks, ...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask' });
  let last;
  const frame = (now) => {
    if (last !== undefined) watched.frames = Math.max(watched.frames, now - last);
    last = now;
    if (watched.isOn) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}`;

async function typed(page: Page, field: string): Promise<{ longestFrameMs: number; longestTaskMs: number }> {
  const input = page.locator(`main input[name=${field}]`);
  await input.focus();
  await page.evaluate(`(${WATCH_FRAMES})()`);
  await input.pressSequentially(WORDS, { delay: KEY_MS });
  // What was typed is asked a moment later, and its answer is drawn.
  await settled(page);
  const found = await page.evaluate('(watched.isOn = false, [watched.frames, watched.tasks])');
  const [longestFrameMs = 0, longestTaskMs = 0] = found as number[];
  return { longestFrameMs, longestTaskMs };
}
