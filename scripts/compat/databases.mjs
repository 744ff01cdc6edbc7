import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { root, run, twoAtATime } from '../pack-libraries.mjs';
import { addServer, withServer } from './server.mjs';

/** The stacks that must open each other's databases, by their difference. */
export const OPENERS = { 'typeorm0.3': 'node20-nest11-typeorm0.3', typeorm1: 'node24-nest12-typeorm1' };

/** Databases written by earlier versions of this product: one folder per version. */
const EARLIER = join(root, 'test/compat/databases');
const SERVER = process.env.TOOL_SEARCH_TEST_POSTGRES_URL;

const REFUND = { name: 'billing.refund', arguments: { invoiceId: 'inv_1', amount: 5 } };
const PAYOUT = { name: 'billing.pay_out', arguments: { iban: 'DE02', cents: 7 } };
const TARGET = { kind: 'tool', value: PAYOUT.name };
const SWITCHES = 'admin/tools/kill-switches';

const STORES = { sqlite: withSqlite, postgres: withPostgres };
const versions = readdirSync(EARLIER);
const openers = Object.keys(OPENERS);

/**
 * The checks by name: who writes, who opens and where. `side-by-side` runs both at once on one database; `moved` runs
 * an installation on another Node.js than it was made for, so that its SQLite driver does not fit.
 */
export const DATABASE_CHECKS = [
  ...Object.keys(STORES).flatMap((store) => [
    ...openers.map((opener) => ({ store, writer: openers.find((other) => other !== opener), opener })),
    ...versions.flatMap((version) => openers.map((opener) => ({ store, version, opener }))),
  ]),
  { store: 'postgres', opener: 'side-by-side' },
  ...openers.map((opener) => ({ store: 'sqlite', opener, isMoved: true })),
].map((check) => ({ ...check, name: nameOf(check) }));

function nameOf({ store, writer, version, opener, isMoved }) {
  if (isMoved) return `database-${store}-moved-from-${opener}`;
  return ['database', store, ...(writer || version ? [writer ?? version, 'to'] : []), opener].join('-');
}

/**
 * Runs the checks.
 *
 * @param chosen some of {@link DATABASE_CHECKS}
 * @param installed for each of {@link OPENERS} its folder and Node.js, or why it could not be installed
 * @returns `{name, ok, reason?}` of each; PostgreSQL checks are ok with a reason if no server is configured
 */
export async function checkDatabases(chosen, installed) {
  const places = Object.fromEntries(Object.entries(OPENERS).map(([name, place]) => [name, installed[place]]));
  for (const place of Object.values(places)) if (place && !place.failure) addServer(place.installation);
  return twoAtATime(chosen, async (check) => {
    const { name, store } = check;
    if (store === 'postgres' && !SERVER) {
      return { name, ok: true, reason: 'skipped: TOOL_SEARCH_TEST_POSTGRES_URL names no PostgreSQL' };
    }
    try {
      await STORES[store](check.version, (database) => tryOut(check, places, database));
      return { name, ok: true };
    } catch (error) {
      return { name, ok: false, reason: error.message.slice(-4000) };
    }
  });
}

/** Writes databases with one installation, for later versions to open. */
export async function keepDatabases(place, version) {
  if (place.failure) throw place.failure;
  const home = join(EARLIER, version);
  mkdirSync(home, { recursive: true });
  addServer(place.installation);
  await withSqlite(undefined, async ({ database }) => {
    await withServer(place, { database }, write);
    writeFileSync(join(home, 'sqlite.gz'), gzipSync(readFileSync(database), { level: 9 }));
  });
  await withPostgres(undefined, async ({ url }) => {
    await withServer(place, { url }, write);
    const dump = run('pg_dump', ['--inserts', '--no-owner', '--no-acl', '--no-comments', url], root);
    // psql meta-commands are not SQL.
    writeFileSync(join(home, 'postgres.sql'), dump.replaceAll(/^(\\.*|--.*|)\n/gm, ''));
  });
}

async function tryOut({ writer, opener, isMoved }, places, database) {
  if (isMoved) return refusedToBoot(places[opener], otherThan(opener, places).node, database);
  if (opener === 'side-by-side')
    return sideBySide(
      openers.map((name) => places[name]),
      database,
    );
  if (writer) await withServer(places[writer], database, write);
  await withServer(places[opener], database, readAndGoOn);
}

const otherThan = (opener, places) => places[openers.find((other) => other !== opener)];

/** Checks that the boot fails with a clear message instead of a crash. */
async function refusedToBoot({ installation, failure }, node, database) {
  await assert.rejects(
    withServer({ installation, node, failure }, database, () => {}),
    /SQLite cannot be loaded on Node\.js \d+\..*Reinstall @tool-search\/typeorm/s,
  );
}

/** Writes an activation, a paused run and a kill switch. */
async function write(send) {
  await called(send, REFUND);
  await send('agent/search', { query: 'pay out the balance' });
  await send('agent/pause', {});
  await send(SWITCHES, { ...TARGET, reason: 'an incident' });
}

/** Checks that everything from `write` is present and effective, and can be changed. */
async function readAndGoOn(send) {
  assert.deepEqual(await send('agent/tools'), [REFUND.name]);
  const { items } = await send('admin/tools/activations');
  assert.deepEqual(
    items.map(({ tenantId, scopeId, tool }) => ({ tenantId, scopeId, tool })),
    [{ tenantId: 'acme', scopeId: 's1', tool: REFUND.name }],
  );
  await refused(send, PAYOUT);
  await checkTrail(send, 1);
  await release(send);
  const { tools } = await send('agent/resume', {});
  assert.deepEqual(
    tools,
    [PAYOUT, REFUND].map(({ name }) => ({ name, drift: 'same' })),
  );
  await called(send, PAYOUT);
  assert.deepEqual((await send('agent/tools')).toSorted(), [PAYOUT.name, REFUND.name]);
  await checkTrail(send, 2);
}

/** Checks that each process sees decisions and activations of the other. */
async function sideBySide([first, second], database) {
  await withServer(first, database, (one) =>
    withServer(second, database, async (other) => {
      await called(one, REFUND);
      assert.deepEqual(await other('agent/tools'), [REFUND.name]);
      await called(other, PAYOUT);
      assert.deepEqual((await one('agent/tools')).toSorted(), [PAYOUT.name, REFUND.name]);
      await appliedByBoth(one(`${SWITCHES}?waitMs=30000`, { ...TARGET, reason: 'an incident' }));
      await refused(other, PAYOUT);
      await appliedByBoth(release(other));
      await called(one, PAYOUT);
      await appliedByBoth(other(`${SWITCHES}?waitMs=30000`, { kind: 'tool', value: REFUND.name, reason: 'another' }));
      await refused(one, REFUND);
      for (const each of [one, other]) await checkTrail(each, 3);
    }),
  );
}

async function called(send, tool) {
  const answer = await send('agent/call', tool);
  assert.equal(answer.ok, true, JSON.stringify(answer));
}

async function refused(send, tool) {
  assert.equal((await send('agent/call', tool)).code, 'TOOL_NOT_AVAILABLE');
}

async function release(send) {
  const { items } = await send(SWITCHES);
  const { revision, reason } = items.find(({ value }) => value === TARGET.value);
  assert.equal(reason, 'an incident');
  return send(`${SWITCHES}/release?waitMs=30000`, { ...TARGET, expectedRevision: revision, reason: 'it is over' });
}

async function appliedByBoth(change) {
  const { instances, pending } = await change;
  assert.deepEqual({ instances: instances?.length, pending }, { instances: 2, pending: [] });
}

async function checkTrail(send, entries) {
  const verdict = await send('admin/tools/audit/verify');
  assert.deepEqual(
    { valid: verdict.valid, entries: verdict.entries },
    { valid: true, entries },
    JSON.stringify(verdict),
  );
}

async function withSqlite(version, work) {
  const folder = mkdtempSync(join(tmpdir(), 'tool-search-database-'));
  try {
    const database = join(folder, 'tools.sqlite');
    if (version) writeFileSync(database, gunzipSync(readFileSync(join(EARLIER, version, 'sqlite.gz'))));
    return await work({ database });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withPostgres(version, work) {
  const name = `tool_search_compat_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
  await execute(SERVER, `CREATE DATABASE ${name}`);
  try {
    if (version) await execute(url, readFileSync(join(EARLIER, version, 'postgres.sql'), 'utf8'));
    return await work({ url });
  } finally {
    await execute(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function execute(url, sql) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
