import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Debian's Chromium with a profile of its own, which `close` deletes. */
export async function openBrowser(): Promise<{ readonly browser: Browser; readonly close: () => Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'tool-search-chromium-'));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: FLAGS,
    env: { ...process.env, HOME: profile },
  });
  return {
    browser,
    close: async () => {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
