// Runs one application, installed from tarballs outside this workspace, on every supported combination of Node.js,
// NestJS, TypeORM, HTTP adapter, module system and test runner. Then opens databases that other versions wrote, and tests
// what needs another version of the AI SDK: code mode and WorkflowAgent.
// Options: --json, --only TEXT (cells whose name contains TEXT), --cut (corner cells and databases), --keep VERSION
// (only writes databases, for later versions to open).
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { APART, installApart, runApart } from './compat/apart.mjs';
import { CELLS, CUT, lowestPeers, STACKS } from './compat/cells.mjs';
import { checkDatabases, DATABASE_CHECKS, keepDatabases, OPENERS } from './compat/databases.mjs';
import { install, runCell } from './compat/installation.mjs';
import { nodeOf } from './compat/nodes.mjs';
import { installTransports, runTransport, TRANSPORTS } from './compat/transports.mjs';
import { packLibraries, published, root } from './pack-libraries.mjs';

const { values: options } = parseArgs({
  options: { json: { type: 'boolean' }, only: { type: 'string' }, cut: { type: 'boolean' }, keep: { type: 'string' } },
});
const say = (text) => process.stderr.write(`${text}\n`);
const isChosen = ({ name }) => options.keep === undefined && name.includes(options.only ?? '');
const chosen = (options.cut ? CUT : CELLS).filter(isChosen);
const chosenDatabases = DATABASE_CHECKS.filter(isChosen);
const folder = mkdtempSync(join(tmpdir(), 'tool-search-compat-'));
// Kept between runs: its content does not depend on this repository.
const nodes = join(tmpdir(), 'tool-search-nodes');

try {
  mkdirSync(join(folder, 'tarballs'));
  const tarballs = await packLibraries(join(folder, 'tarballs'));
  const stacks = { ...STACKS, lowest: lowestPeers(published.map((library) => readManifest(join(root, library)))) };
  const cells = [];
  // Stacks that open databases stay installed until all of them are ready.
  const openers = options.keep ? [OPENERS.typeorm1] : chosenDatabases.length > 0 ? Object.values(OPENERS) : [];
  const installed = {};
  // Cells with the same dependencies share one installation.
  for (const place of new Set([...chosen.map(placeOf), ...openers])) {
    const home = join(folder, place);
    const { node: major, stack } = CELLS.find((cell) => placeOf(cell) === place);
    let node;
    const failure = failureOf(() => {
      node = nodeOf(major, nodes);
      install(home, node, tarballs, stacks[stack]);
    });
    for (const cell of chosen.filter((each) => placeOf(each) === place)) {
      const started = performance.now();
      const reason = failure ?? failureOf(() => runCell(home, node, cell));
      const ms = Math.round(performance.now() - started);
      cells.push({ ...described(cell, home), ok: !reason, ms, ...(reason && { reason: reason.message.slice(-4000) }) });
      say(`${reason ? 'FAILED' : 'ok'} ${cell.name} ${ms} ms${reason ? `\n${reason.message.slice(-4000)}` : ''}`);
    }
    if (openers.includes(place)) installed[place] = { installation: home, node, failure };
    else rmSync(home, { recursive: true, force: true });
  }
  if (options.keep) await keepDatabases(installed[OPENERS.typeorm1], options.keep);
  const databases = await checkDatabases(chosenDatabases, installed);
  for (const { name, ok, reason = '' } of databases) say(`${ok ? 'ok' : 'FAILED'} ${name} ${reason}`);
  const transports = options.cut || options.keep ? [] : checkTransports(tarballs, join(folder, 'transports'));
  const apart = options.cut || options.keep ? [] : checkApart(tarballs, join(folder, 'apart'));
  const parts = { cells, databases, transports, apart };
  const failed = Object.values(parts)
    .flat()
    .filter(({ ok }) => !ok);
  const tried = `${cells.length} combinations, ${databases.length} databases, ${transports.length} transports, ${apart.length} parts with another AI SDK`;
  if (options.json) console.log(JSON.stringify(parts));
  else console.log(`${tried} tried, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Checks every transport, on the newest stack and the current Node.js. */
function checkTransports(tarballs, home) {
  const names = TRANSPORTS.filter((name) => name.includes(options.only ?? ''));
  if (names.length === 0) return [];
  const failure = failureOf(() => installTransports(home, process.execPath, tarballs, STACKS['nest12-typeorm1']));
  return names.map((name) => {
    let skipped;
    const error = failure ?? failureOf(() => (skipped = runTransport(home, process.execPath, name)));
    const reason = error ? error.message.slice(-4000) : skipped;
    say(`${error ? 'FAILED' : 'ok'} ${name} ${reason ?? ''}`);
    return { name, ok: !error, ...(reason && { reason }) };
  });
}

/** Tests what needs another version of the AI SDK, on the newest stack. A part is installed once for all its Node.js. */
function checkApart(tarballs, folder) {
  const chosenParts = APART.filter(isChosen);
  const failures = new Map();
  return chosenParts.map((each) => {
    const { name, part, node } = each;
    const home = join(folder, part);
    if (!failures.has(part)) {
      const work = () => installApart(home, nodeOf(node, nodes), tarballs, STACKS['nest12-typeorm1'], each);
      failures.set(part, failureOf(work));
    }
    const error = failures.get(part) ?? failureOf(() => runApart(home, nodeOf(node, nodes), each));
    const reason = error?.message.slice(-4000);
    say(`${error ? 'FAILED' : 'ok'} ${name} ${reason ?? ''}`);
    return { name, ok: !error, ...(reason && { reason }) };
  });
}

function failureOf(work) {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

function placeOf({ node, stack }) {
  return `node${node}-${stack}`;
}

/** Describes a cell with its installed versions. */
function described({ name, node, adapter, module, runner }, home) {
  const installed = (dependency) => {
    try {
      return readManifest(join(home, 'node_modules', dependency)).version;
    } catch {
      return 'not installed';
    }
  };
  return { name, node, nest: installed('@nestjs/core'), typeorm: installed('typeorm'), adapter, module, runner };
}

function readManifest(home) {
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
}
