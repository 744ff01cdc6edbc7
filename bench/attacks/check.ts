import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ALL_ATTACKS } from './all-attacks.js';
import { type Attack, ATTACKER, OPERATOR, OTHER } from './attack.js';
import { type AttackFigures, measureAttack } from './measure-attack.js';
import { startServer } from '../scenarios/server-process.js';
import { withWorkFolder } from '../scenarios/work-folder.js';

const MAX_BLOCK_MS = 100;
const MAX_OTHERS_P99_MS = 250;
const TOKENS = `${ATTACKER}:acme:ada:business:finance,${OTHER}:globex:homer:business:finance,${OPERATOR}:ops:olga:business:admin`;

/**
 * `npm run check:attacks -- [--only TEXT] [--json]`; exits with 1 if an attack blocks other requests for longer than
 * allowed.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, json: { type: 'boolean' } } });
  const asked = ALL_ATTACKS.filter(({ name }) => name.includes(values.only));
  if (asked.length === 0) throw new Error(`--only names none of: ${ALL_ATTACKS.map(({ name }) => name).join('; ')}`);
  const [alone, together] = [asked.filter(({ sources }) => sources), asked.filter(({ sources }) => !sources)];
  const attacks: AttackFigures[] = [];
  for (const group of [together, ...alone.map((attack) => [attack])]) attacks.push(...(await figuresOf(group)));
  if (values.json) console.log(JSON.stringify({ attacks }));
  else for (const attack of attacks) console.log(line(attack));
  if (!attacks.every(isHarmless)) process.exitCode = 1;
}

/** Attacks without sources of their own share one server, because a boot takes seconds. */
async function figuresOf(attacks: readonly Attack[]): Promise<readonly AttackFigures[]> {
  const [first] = attacks;
  if (!first) return [];
  return withWorkFolder({ '.gitignore': '' }, async (folder) => {
    const env = { DATA_DIR: join(folder, 'data'), DEMO_TOKENS: TOKENS, TOOL_SEARCH_BOOT_WAIT_MS: '60000' };
    const limits = { TOOL_SEARCH_ADMIN_WRITES_PER_MINUTE: '1000000', TOOL_SEARCH_ADMIN_READS_PER_MINUTE: '1000000' };
    const host = createServer(first.host?.()).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const server = await startServer({ ...env, ...limits }, ['./attacks/attacked-server.js', first.name, address]);
    try {
      const figures: AttackFigures[] = [];
      for (const attack of attacks) figures.push(await measureAttack(server, attack));
      return figures;
    } finally {
      await server.stop();
      host.close();
      host.closeAllConnections();
    }
  });
}

function isHarmless({ maxBlockMs, othersP99Ms }: AttackFigures): boolean {
  return maxBlockMs <= MAX_BLOCK_MS && othersP99Ms <= MAX_OTHERS_P99_MS;
}

function line(figures: AttackFigures): string {
  const { name, maxBlockMs, ownBlockMs, othersP99Ms, status } = figures;
  const verdict = isHarmless(figures) ? 'ok    ' : 'FAILED';
  return `${verdict} ${name}: block ${maxBlockMs} ms (own ${ownBlockMs}), others p99 ${othersP99Ms} ms, answered ${status}`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
