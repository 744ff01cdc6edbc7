import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { open } from './run.js';

/** What must not happen on a page, counted while it is used. */
export interface PageFaults {
  readonly cspViolations: readonly string[];
  readonly externalRequests: readonly string[];
  /** Errors that no code caught. */
  readonly errors: readonly string[];
}

/** Counts from now on. */
export function watchFaults(page: Page, origin: string): PageFaults {
  const faults = { cspViolations: [] as string[], externalRequests: [] as string[], errors: [] as string[] };
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.cspViolations.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) faults.externalRequests.push(url);
  });
  page.on('pageerror', ({ message }) => faults.errors.push(message));
  return faults;
}

/** Every screen with its title. */
export const SCREENS: readonly (readonly [screen: string, title: string])[] = [
  ['', 'Overview'],
  ['tools', 'Tools'],
  ['explain?tool=billing.refund_invoice', 'Why not?'],
  ['playground', 'Playground'],
  ['kill-switches?kind=tool&value=billing.refund_invoice', 'Kill switches'],
  ['quarantine', 'Quarantine'],
  ['approvals', 'Approvals'],
  ['policies', 'Access policies'],
  ['calls', 'Calls'],
  ['sessions', 'Sessions'],
  ['tokens', 'Tokens'],
  ['gaps', 'Search gaps'],
  ['sources', 'Sources'],
  ['clients', 'Clients'],
  ['audit', 'Audit'],
];

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** What axe finds on every screen, in light and dark, and the screens that are wider than 360 px allow. */
export async function inspectScreens(page: Page): Promise<{ axe: readonly string[]; tooWide: readonly string[] }> {
  const axe: string[] = [];
  const tooWide: string[] = [];
  // Not addScriptTag, which the policy of the page forbids.
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [screen, title] of SCREENS) {
      await open(page, screen, title);
      await settled(page);
      const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
      axe.push(
        ...violations.map(({ id, nodes }) => `${title} (${colorScheme}): ${id} ${nodes[0]?.html.slice(0, 200)}`),
      );
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [screen, title] of SCREENS) {
    await open(page, screen, title);
    await settled(page);
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    if (width > 360) tooWide.push(`${title}: ${width} px`);
  }
  if (size) await page.setViewportSize(size);
  return { axe, tooWide };
}

/** Waits until no part of the screen is loading. */
export async function settled(page: Page): Promise<void> {
  // Fields are read a moment after they change.
  await page.waitForTimeout(400);
  // Not waitForFunction, whose second look the policy of the page forbids.
  await page.locator('.loading').first().waitFor({ state: 'hidden' });
}
