import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type AuditHead, type ControlStore, NO_AUDIT } from '@tool-search/core/stores';
import { brokenLink } from '@tool-search/core/internal';
import { openStores } from './open-stores.js';

export interface CrashReport {
  readonly rounds: number;
  /** Activations and kill switches that were acknowledged before their process was killed. */
  readonly acknowledged: number;
  readonly lost: number;
  /** Rounds after which the verification of the audit trail failed. */
  readonly chainBroken: number;
}

/** Maximum life of a process after its first acknowledgement. */
const LIFE_MS = 150;
/** Timeout of the first acknowledgement, far above the expected time. */
const PATIENCE_MS = 60_000;
const PAGE = 1_000;

/**
 * Starts a process that writes to one SQLite file, kills it with SIGKILL at a random moment, opens the file as at every
 * start, and looks for the acknowledged writes. All rounds use the same file.
 *
 * @throws Error if the file can no longer be opened, or a process ends by itself
 */
export async function runCrashes(rounds: number): Promise<CrashReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tool-search-crash-'));
  try {
    return await crashes(join(folder, 'tool-search.sqlite'), rounds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function crashes(database: string, rounds: number): Promise<CrashReport> {
  const all = new Set<string>();
  let lost = 0;
  let chainBroken = 0;
  for (let round = 0; round < rounds; round++) {
    for (const line of await acknowledgedBeforeKill(database, round)) all.add(line);
    const { activations, control, close } = await openStores({ database });
    if (!(await verifies(control))) chainBroken += 1;
    // Checks everything again after the last round, to find later losses as well.
    const wanted = round === rounds - 1 ? [...Array(rounds).keys()] : [round];
    const written = new Set((await control.read())?.records.map(({ key }) => `switch ${key}`));
    for (const one of wanted) {
      const scope = { tenantId: 'acme', userId: '', scope: 'run', scopeId: `${one}` } as const;
      for (const { tool } of await activations.list(scope, 0)) written.add(`activation ${tool}`);
    }
    const expected = [...all].filter((line) => wanted.some((one) => line.includes(` round${one}.`)));
    const missing = expected.filter((line) => !written.has(line));
    for (const line of missing) all.delete(line); // counted once
    lost += missing.length;
    await close();
  }
  return { rounds, acknowledged: all.size + lost, lost, chainBroken };
}

async function acknowledgedBeforeKill(database: string, round: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [join(__dirname, 'crash-child.js'), database, `${round}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const lines: string[] = [];
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  for await (const line of createInterface(child.stdout)) {
    if (lines.push(line) === 1) setTimeout(() => child.kill('SIGKILL'), Math.random() * LIFE_MS);
  }
  const [, signal] = await exit;
  clearTimeout(late);
  if (lines.length === 0) throw new Error(`the process of round ${round} acknowledged nothing`);
  if (signal !== 'SIGKILL') throw new Error(`the process of round ${round} ended by itself`);
  return lines;
}

async function verifies(control: ControlStore): Promise<boolean> {
  let head: AuditHead = NO_AUDIT;
  for (;;) {
    const entries = await control.audit({}, { after: head.seq, limit: PAGE });
    if (brokenLink(head, entries)) return false;
    head = entries.at(-1) ?? head;
    if (entries.length < PAGE) return (await control.read(head.revision)) === undefined;
  }
}
