import type { Page } from 'playwright-core';
import type { ServerAnswer, ServerProcess } from '../scenarios/server-process.js';

/**
 * Tokens of the reference server in the check. Ada is a user of acme; her second token makes her an operator too. Tina is
 * an operator of acme only, Rita one who only reads.
 */
export const TOKENS = {
  ada: 'check-acme-token',
  adaAsOperator: 'check-acme-operator-token',
  homer: 'check-globex-token',
  newcomer: 'check-newcomer-token',
  olga: 'check-operator-token',
  oscar: 'check-second-operator-token',
  tina: 'check-tenant-operator-token',
  rita: 'check-reading-operator-token',
} as const;

/** The same tokens as the server reads them. */
export const DEMO_TOKENS = [
  `${TOKENS.ada}:acme:ada:business:finance`,
  `${TOKENS.adaAsOperator}:acme:ada:business:admin`,
  `${TOKENS.homer}:globex:homer:starter`,
  `${TOKENS.newcomer}:acme:newcomer:business`,
  `${TOKENS.olga}:ops:olga:business:admin`,
  `${TOKENS.oscar}:ops:oscar:business:admin`,
  `${TOKENS.tina}:acme:tina:business:tenant-admin`,
  `${TOKENS.rita}:ops:rita:business:admin|read-only`,
].join(',');

/** Contexts as the reference server would give them. */
export const ADA = { tenantId: 'acme', userId: 'ada', plan: 'business', roles: ['finance'] };
export const HOMER = { tenantId: 'globex', userId: 'homer', plan: 'starter' };

export const REFUND = 'billing.refund_invoice';

/** One server set with a signed-in page of the first of them. */
export interface ConsoleRun {
  readonly page: Page;
  readonly servers: readonly ServerProcess[];
  /** Changes the description of `docs.read_page`. */
  changeDocs(description: string): void;
  /** Sends to a route for operators of the first server, as a second operator. */
  readonly admin: (path: string, body?: object) => Promise<ServerAnswer>;
  /** Calls a tool as a user, on each server; returns the code of each refusal, or ok. */
  readonly call: (token: string, tool: string, input: object, session?: string) => Promise<readonly string[]>;
}

/** Opens a screen, and waits until it is there. */
export async function open(page: Page, screen: string, title: string): Promise<void> {
  await page.goto(new URL(`#/${screen}`, page.url()).href);
  // The page hears of its new address a moment later, and takes its state from there.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await page.locator('h1', { hasText: title }).waitFor();
}

/** Types a token into the form and sends it. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.fill('input[name=token]', token);
  await page.click('form.sign-in button[type=submit]');
}

/** Waits until a condition of the servers holds. @throws Error if it never does */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`never: ${what}`);
}

/** Types the reason of an open decision and submits it. */
export async function decide(page: Page, reason: string): Promise<void> {
  const dialog = page.locator('dialog[open]');
  await dialog.locator('textarea[name=reason]').fill(reason);
  await dialog.locator('button[type=submit]').click();
}

/** Waits for a text in the screen. */
export async function shows(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('main').getByText(text).first().waitFor();
}

/** Types who is asking, as JSON. */
export async function typeContext(page: Page, which: 'left' | 'right', context: object): Promise<void> {
  await page.locator(`input[name=json-${which}]`).check();
  await page.locator(`textarea[name=context-${which}]`).fill(JSON.stringify(context));
}

/** Who is asking, read from the form as JSON. */
export async function typedContext(page: Page, which: 'left' | 'right'): Promise<Readonly<Record<string, string>>> {
  await page.locator(`input[name=json-${which}]`).check();
  return JSON.parse(await page.inputValue(`textarea[name=context-${which}]`)) as Record<string, string>;
}

/** What the console says where every instance obeys. */
export const allObey = (instances: number): string =>
  `${instances} of ${instances} ${instances === 1 ? 'instance obeys' : 'instances obey'}`;
