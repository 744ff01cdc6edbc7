import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ServerProcess, startServer } from '../../scenarios/server-process.js';
import { folderOf, type InstalledPackages, nodeOf, SUITE } from '../installed-packages.js';
import { type RequirementSet, REVISIONS, type Revision } from './requirement-sets.js';

/** Result of one requirement set. */
export interface RevisionCheck {
  /** Scenarios that the revision requires of a server. */
  readonly required: number;
  /** Required scenarios of which no check failed or warned. */
  readonly passed: number;
  /** Required scenarios that failed, with the ids of their failed checks. */
  readonly failed: readonly string[];
}

/** Result of the conformance suite, by requirement set. */
export type ConformanceCheck = Readonly<Record<RequirementSet, RevisionCheck>>;

interface SuiteCheck {
  readonly id: string;
  readonly status: string;
}

// The suite itself does not count warnings. Scenarios of features that are missing warn instead of failing.
const FAULTS = ['FAILURE', 'WARNING'];
const SERVER_FILE = 'gateway/conformance/fixture-server.js';
const RUN_MS = 300_000;
const SERVER = /^Server scenarios.*:$/;
const TIME = /-\d{4}-\d\d-\d\dT[\w-]+$/;
const ENTRY = /^ {2}- (?<name>[\w-]+)$/;

const run = promisify(execFile);

/** Runs the suite of each revision against the fixture, in the gateway's process and behind the gateway. */
export async function checkConformance(packages: InstalledPackages): Promise<ConformanceCheck> {
  const own = await startServer({}, [SERVER_FILE]);
  try {
    const gateway = await startServer({}, [SERVER_FILE, endpointOf(own)]);
    try {
      const checks = {} as Record<RequirementSet, RevisionCheck>;
      for (const revision of REVISIONS) {
        checks[revision] = await checkRevision(packages, revision, endpointOf(own));
        checks[`upstream-${revision}`] = await checkRevision(packages, revision, endpointOf(gateway));
      }
      return checks;
    } finally {
      await gateway.stop();
    }
  } finally {
    await own.stop();
  }
}

function endpointOf({ url }: ServerProcess): string {
  return `${url}/mcp/p/conformance`;
}

async function checkRevision(packages: InstalledPackages, revision: Revision, url: string): Promise<RevisionCheck> {
  const suite = join(folderOf(packages, SUITE), 'node_modules', SUITE.package, 'dist', 'index.js');
  const results = mkdtempSync(join(tmpdir(), 'tool-search-conformance-'));
  const options = { cwd: results, timeout: RUN_MS, maxBuffer: 16_777_216 };
  try {
    const list = await run(nodeOf(packages), [suite, 'list', '--requirements', revision], options);
    const required = serverScenarios(list.stdout);
    const args = [suite, 'server', '--url', url, '--requirements', revision, '--output-dir', results];
    // It exits with 1 if a scenario fails.
    await run(nodeOf(packages), args, options).catch(() => undefined);
    const outcomes = required.map((scenario) => ({ scenario, faults: faultsOf(results, scenario) }));
    const missed = outcomes.filter(({ faults }) => faults.length > 0);
    return {
      required: required.length,
      passed: required.length - missed.length,
      failed: missed.map(({ scenario, faults }) => `${scenario}: ${faults.join(', ')}`),
    };
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

// The list has a heading for each kind of scenario.
function serverScenarios(list: string): readonly string[] {
  const lines = list.split('\n');
  const first = lines.findIndex((line) => SERVER.test(line)) + 1;
  const names: string[] = [];
  for (const line of lines.slice(first)) {
    const name = ENTRY.exec(line)?.groups?.['name'];
    if (name === undefined) break;
    names.push(name);
  }
  if (first === 0 || names.length === 0) throw new Error(`the suite lists no scenarios for servers: ${list}`);
  return names;
}

// One folder for each scenario, `server-NAME-TIME`. A scenario that broke off leaves none.
function faultsOf(results: string, scenario: string): readonly string[] {
  const folder = readdirSync(results).find((name) => name.replace(TIME, '') === `server-${scenario}`);
  if (folder === undefined) return ['no result'];
  const checks = JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8')) as SuiteCheck[];
  if (!checks.some(({ status }) => status === 'SUCCESS')) return ['no successful check'];
  return checks.filter(({ status }) => FAULTS.includes(status)).map(({ id }) => id);
}
