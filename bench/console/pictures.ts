import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { SCREENS, settled } from './page-faults.js';
import { ADA, HOMER, open, REFUND, typeContext } from './run.js';

/** The screens that docs/console.md shows. */
const SHOWN = ['Overview', 'Why not?', 'Playground', 'Calls'];
/** The screens of an operator on call. */
const ON_CALL = ['Overview', 'Tools', 'Why not?', 'Kill switches', 'Quarantine', 'Approvals', 'Calls', 'Sources'];

const nameOf = (screen: string): string => screen.split('?')[0] || 'overview';

/** Writes the pictures of the documentation, with what a reader should see in it. */
export async function takePictures(page: Page, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [screen, title] of SCREENS.filter(([, each]) => SHOWN.includes(each))) {
    await page.setViewportSize({ width: 1200, height: title === 'Why not?' ? 880 : 760 });
    await open(page, screen, title);
    if (title === 'Why not?') await typeForm(page, HOMER);
    if (title === 'Playground') {
      await typeForm(page, ADA);
      await page.fill('input[name=query]', 'refund an invoice');
      await page.locator('ol.hits > li', { hasText: REFUND }).waitFor();
    }
    await settled(page);
    await page.screenshot({ path: join(folder, `console-${nameOf(screen)}.png`) });
  }
}

/** Writes a picture of every screen at 1280 pixels in light and dark, and of those of an operator on call at 390. */
export async function takeGallery(page: Page, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [width, height, colorScheme] of [
    [1280, 900, 'light'],
    [1280, 900, 'dark'],
    [390, 844, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    for (const [screen, title] of SCREENS) {
      if (width === 390 && !ON_CALL.includes(title)) continue;
      await open(page, screen, title);
      await settled(page);
      await page.screenshot({ path: join(folder, `${nameOf(screen)}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

async function typeForm(page: Page, context: object): Promise<void> {
  await typeContext(page, 'left', context);
  await page.locator('input[name=json-left]').uncheck();
}
