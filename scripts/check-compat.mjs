// Runs one application, installed from tarballs outside this workspace, on every promised combination of Node.js, NestJS,
// TypeORM, HTTP adapter, module system and test runner.
// Options: --json, --only TEXT (cells and transports whose name has it), --cut (the corners alone).
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CELLS, CUT, lowestPeers, STACKS } from './compat/cells.mjs';
import { install, runCell } from './compat/installation.mjs';
import { nodeOf } from './compat/nodes.mjs';
import { installTransports, runTransport, TRANSPORTS } from './compat/transports.mjs';
import { packLibraries, published, root } from './pack-libraries.mjs';

const { values: options } = parseArgs({
  options: { json: { type: 'boolean' }, only: { type: 'string' }, cut: { type: 'boolean' } },
});
const say = (text) => process.stderr.write(`${text}\n`);
const chosen = (options.cut ? CUT : CELLS).filter(({ name }) => name.includes(options.only ?? ''));
const folder = mkdtempSync(join(tmpdir(), 'tool-search-compat-'));
// Kept from run to run: nothing in it depends on this repository.
const nodes = join(tmpdir(), 'tool-search-nodes');

try {
  mkdirSync(join(folder, 'tarballs'));
  const tarballs = await packLibraries(join(folder, 'tarballs'));
  const stacks = { ...STACKS, lowest: lowestPeers(published.map((library) => readManifest(join(root, library)))) };
  const cells = [];
  // Cells that differ in nothing that is installed share one installation.
  for (const place of new Set(chosen.map(placeOf))) {
    const group = chosen.filter((cell) => placeOf(cell) === place);
    const home = join(folder, place);
    const { node: major, stack } = group[0];
    let node, failure;
    try {
      node = nodeOf(major, nodes);
      install(home, node, tarballs, stacks[stack]);
    } catch (error) {
      failure = error;
    }
    for (const cell of group) {
      const started = performance.now();
      const reason = failure ?? failureOf(() => runCell(home, node, cell));
      const ms = Math.round(performance.now() - started);
      cells.push({ ...described(cell, home), ok: !reason, ms, ...(reason && { reason: reason.message.slice(-4000) }) });
      say(`${reason ? 'FAILED' : 'ok'} ${cell.name} ${ms} ms${reason ? `\n${reason.message.slice(-4000)}` : ''}`);
    }
    rmSync(home, { recursive: true, force: true });
  }
  const transports = options.cut ? [] : checkTransports(tarballs, join(folder, 'transports'));
  const failed = [...cells, ...transports].filter(({ ok }) => !ok);
  if (options.json) console.log(JSON.stringify({ cells, transports }));
  else console.log(`${cells.length} combinations and ${transports.length} transports tried, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Every way into a toolbox, on the newest stack and the Node.js that runs this. */
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

/** A cell with the versions that were installed. */
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
