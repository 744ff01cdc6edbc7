import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { inOwnDatabase } from '../scenarios/own-database.js';
import { BY_ADDRESS } from './address-interactions.js';
import { ON_ARGUMENTS } from './argument-interactions.js';
import { ASKING } from './ask-interactions.js';
import { openBrowser } from './browser.js';
import { type CheckedServers, withServers } from './checked-servers.js';
import { DECIDING } from './decision-interactions.js';
import { showHostileTexts } from './hostile/hostile-texts.js';
import { inspectScreens, type PageFaults, watchFaults } from './page-faults.js';
import { ON_PHONE } from './phone-interactions.js';
import { takeGallery, takePictures } from './pictures.js';
import { type ConsoleRun, signIn, TOKENS } from './run.js';
import { SCOPED } from './scope-interactions.js';
import { SIGNING_IN } from './session-interactions.js';

const WAIT_MS = 20_000;

interface InteractionResult {
  readonly name: string;
  readonly ok: boolean;
  /** Why it failed. */
  readonly why?: string;
}

/** What the check found in all runs together. */
export interface ConsoleCheck {
  readonly runs: readonly {
    readonly adapter: string;
    readonly store: string;
    readonly instances: number;
    readonly interactions: readonly InteractionResult[];
  }[];
  readonly axeViolations: number;
  readonly cspViolations: number;
  readonly externalRequests: number;
  readonly gzipBytes: number;
  /** The largest of the runs. */
  readonly firstPaintMs: number;
  /** Screens that do not fit into 360 px. */
  readonly tooWide: readonly string[];
  /** Errors that no code of the page caught, and texts of others that were run. */
  readonly errors: readonly string[];
  /** What axe, the policy and the requests were about. */
  readonly faults: readonly string[];
}

interface CheckSettings {
  readonly only: 'express' | 'fastify' | undefined;
  /** Folder for the pictures of the documentation. */
  readonly pictures: string | undefined;
  /** Folder for pictures of all screens, to be looked at. */
  readonly gallery: string | undefined;
  /** A PostgreSQL server for two instances. */
  readonly database: string | undefined;
}

/** Runs everything on each adapter and store. */
export async function checkConsole({ only, pictures, gallery, database }: CheckSettings): Promise<ConsoleCheck> {
  const runs: ConsoleCheck['runs'][number][] = [];
  const all: PageFaults = { cspViolations: [], externalRequests: [], errors: [] };
  const axe: string[] = [];
  const tooWide: string[] = [];
  let [gzipBytes, firstPaintMs] = [0, 0];
  const { browser, close } = await openBrowser();
  const runOn = async (adapter: string, store: string, url: string | undefined) =>
    withServers(adapter, url, async (servers) => {
      const { interactions, faults, found, paintMs } = await checkRun(browser, servers, { pictures, gallery });
      runs.push({ adapter, store, instances: servers.servers.length, interactions });
      for (const kind of ['cspViolations', 'externalRequests', 'errors'] as const) {
        (all[kind] as string[]).push(...faults[kind]);
      }
      axe.push(...found.axe);
      tooWide.push(...found.tooWide);
      firstPaintMs = Math.max(firstPaintMs, paintMs);
      gzipBytes = await sizeOf(servers.servers[0]?.url ?? '');
    });
  try {
    for (const adapter of ['express', 'fastify'] as const) {
      if (only !== undefined && only !== adapter) continue;
      await runOn(adapter, 'sqlite', undefined);
      if (database !== undefined) await inOwnDatabase(database, (url) => runOn(adapter, 'postgres', url));
    }
  } finally {
    await close();
  }
  const { cspViolations, externalRequests, errors } = all;
  return {
    runs,
    axeViolations: axe.length,
    cspViolations: cspViolations.length,
    externalRequests: externalRequests.length,
    gzipBytes,
    firstPaintMs,
    tooWide,
    errors,
    faults: [...axe, ...cspViolations, ...externalRequests],
  };
}

async function checkRun(
  browser: Browser,
  { servers, ...helpers }: CheckedServers,
  { pictures, gallery }: Pick<CheckSettings, 'pictures' | 'gallery'>,
) {
  const origin = servers[0]?.url ?? '';
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const faults = watchFaults(page, origin);
  await page.goto(`${origin}/console`);
  await signIn(page, TOKENS.olga);
  const paint = await page.evaluate('performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0');
  await page.locator('h1', { hasText: 'Overview' }).waitFor();
  const run: ConsoleRun = { page, servers, ...helpers };
  const interactions: InteractionResult[] = [];
  for (const interaction of [
    ...ASKING,
    ...DECIDING,
    ...ON_ARGUMENTS,
    ...BY_ADDRESS,
    ...ON_PHONE,
    ...SCOPED,
    ...SIGNING_IN,
  ]) {
    const { name } = interaction;
    try {
      await interaction.run(run);
      interactions.push({ name, ok: true });
    } catch (error) {
      interactions.push({
        name,
        ok: false,
        why: (error instanceof Error ? error.message : String(error)).slice(0, 500),
      });
      // A dialog that is still open would cover the next screen.
      await page.keyboard.press('Escape');
    }
  }
  const found = await inspectScreens(page);
  const note = (error: unknown) => (faults.errors as string[]).push(String(error));
  await showHostileTexts(page).catch(note);
  if (pictures !== undefined) await takePictures(page, pictures).catch(note);
  if (gallery !== undefined) await takeGallery(page, gallery).catch(note);
  await context.close();
  return { interactions, faults, found, paintMs: Math.round(Number(paint)) };
}

/** Bytes of the page and its two files with gzip. */
async function sizeOf(origin: string): Promise<number> {
  const html = await (await fetch(`${origin}/console/`)).text();
  const files = [...html.matchAll(/(?:src|href)="(console\.[^"]+)"/g)].map(([, file]) => file ?? '');
  const texts = await Promise.all(files.map(async (file) => (await fetch(`${origin}/console/${file}`)).text()));
  return [html, ...texts].reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
}
