import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ALL_ATTACKS } from './all-attacks.js';
import { type Attack, ATTACKER, CROWD, OPERATOR, OTHER } from './attack.js';
import { MAX_SESSIONS } from './crowded-sessions.js';
import { type AttackRow, measureAttack } from './measure-attack.js';
import { startServer, UNLIMITED_OPERATORS } from '../scenarios/server-process.js';
import { withWorkFolder } from '../scenarios/work-folder.js';
import { main } from '../command/command.js';
import { text } from '../command/options.js';

const MAX_BLOCK_MS = 100;
const MAX_OTHERS_P99_MS = 250;
const TOKENS = [
  `${ATTACKER}:acme:ada:business:finance`,
  `${OTHER}:globex:homer:business:finance`,
  `${OPERATOR}:ops:olga:business:admin`,
  ...CROWD.map((token, n) => `${token}:acme:crowd-${n}:business:finance`),
].join(',');

/** Attacks without sources of their own share one server, because a boot takes seconds. */
async function rowsOf(attacks: readonly Attack[]): Promise<readonly AttackRow[]> {
  const [first] = attacks;
  if (!first) return [];
  return withWorkFolder({ '.gitignore': '' }, async (folder) => {
    const env = {
      DATA_DIR: join(folder, 'data'),
      DEMO_TOKENS: TOKENS,
      TOOL_SEARCH_BOOT_WAIT_MS: '60000',
      TOOL_SEARCH_GATEWAY_SESSIONS_MAX: `${MAX_SESSIONS}`,
    };
    const host = createServer(first.host?.()).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const server = await startServer({ ...env, ...UNLIMITED_OPERATORS }, [
      './attacks/attacked-server.js',
      first.name,
      address,
    ]);
    try {
      const rows: AttackRow[] = [];
      for (const attack of attacks) rows.push(await measureAttack(server, attack));
      return rows;
    } finally {
      await server.stop();
      host.close();
      host.closeAllConnections();
    }
  });
}

function isHarmless({ maxBlockMs, othersP99Ms }: AttackRow): boolean {
  return maxBlockMs <= MAX_BLOCK_MS && othersP99Ms <= MAX_OTHERS_P99_MS;
}

function line(row: AttackRow): string {
  const { name, maxBlockMs, ownBlockMs, othersP99Ms, status } = row;
  const verdict = row.ok && isHarmless(row) ? 'ok    ' : 'FAILED';
  return `${verdict} ${name}: block ${maxBlockMs} ms (own ${ownBlockMs}), others p99 ${othersP99Ms} ms, answered ${status}`;
}

main({
  purpose:
    'Attacks on the built reference server, while another tenant uses it: no long blocks, and every answer as promised.',
  options: { only: text() },
  run: async ({ only = '' }) => {
    const asked = ALL_ATTACKS.filter(({ name }) => name.includes(only));
    if (asked.length === 0) throw new Error(`--only names none of: ${ALL_ATTACKS.map(({ name }) => name).join('; ')}`);
    const [alone, together] = [asked.filter(({ sources }) => sources), asked.filter(({ sources }) => !sources)];
    const attacks: AttackRow[] = [];
    for (const group of [together, ...alone.map((attack) => [attack])]) attacks.push(...(await rowsOf(group)));
    return { attacks };
  },
  text: ({ attacks }) => attacks.map(line).join('\n'),
  fault: ({ attacks }) => {
    const failed = attacks.filter((attack) => !(attack.ok && isHarmless(attack)));
    return failed.length > 0 ? `not as promised: ${failed.map(({ name }) => name).join('; ')}` : undefined;
  },
});
