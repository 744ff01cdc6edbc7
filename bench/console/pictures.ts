import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { SCREENS, settled } from './page-faults.js';
import { ADA, HOMER, open, REFUND, typeContext } from './run.js';

/** The screens that docs/console.md shows. */
const SHOWN = ['Why not?', 'Playground', 'Calls'];

/** Writes the pictures of the documentation, with what a reader should see in it. */
export async function takePictures(page: Page, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [screen, title] of SCREENS.filter(([, each]) => SHOWN.includes(each))) {
    await page.setViewportSize({ width: 1200, height: title === 'Why not?' ? 1080 : 760 });
    await open(page, screen, title);
    if (title === 'Why not?') await typeContext(page, 'left', HOMER);
    if (title === 'Playground') {
      await typeContext(page, 'left', ADA);
      await page.fill('input[name=query]', 'refund an invoice');
      await page.locator('ol.hits > li', { hasText: REFUND }).waitFor();
    }
    await settled(page);
    await page.screenshot({ path: join(folder, `console-${screen.split('?')[0] || 'overview'}.png`) });
  }
}
