import { parseArgs } from 'node:util';
import { checkClients, type ClientCheck } from './clients/check-clients.js';
import { checkConformance, type ConformanceCheck } from './conformance/check-conformance.js';
import { CLIENTS } from './clients/client-table.js';
import { installPackages, NODE, SUITE } from './installed-packages.js';
import { inLoopbackNamespace } from './loopback-namespace.js';
import { textTable } from '../measuring/text-table.js';
import { packageCache } from '../scenarios/installed-package.js';

interface GatewayReport {
  readonly conformance?: ConformanceCheck;
  readonly clients?: readonly ClientCheck[];
}

const PARTS = ['conformance', 'clients'];

/** Tells the program that it runs in the namespace already. */
const INSIDE = '--inside';

/**
 * `npm run check:gateway -- [--only conformance|clients] [--cache FOLDER] [--json]`: the conformance suite of the
 * protocol and real clients against the gateway, without a network; Linux only. The clients sign in with OAuth. Installs 1.6 GB of packages once.
 * Exits with 1 if something failed.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      cache: { type: 'string', default: packageCache('gateway') },
      json: { type: 'boolean', default: false },
      inside: { type: 'boolean', default: false },
    },
  });
  const { only } = values;
  if (only !== undefined && !PARTS.includes(only)) throw new Error(`--only takes ${PARTS.join(' or ')}`);
  const [withSuite, withClients] = [only !== 'clients', only !== 'conformance'];
  const wanted = [NODE, ...(withSuite ? [SUITE] : []), ...(withClients ? CLIENTS : [])];
  const packages = await installPackages(wanted, values.cache);
  if (!values.inside) {
    process.exitCode = await inLoopbackNamespace([...process.argv.slice(2), INSIDE]);
    return;
  }
  const report: GatewayReport = {
    ...(withSuite && { conformance: await checkConformance(packages) }),
    ...(withClients && { clients: await checkClients(packages) }),
  };
  console.log(values.json ? JSON.stringify(report) : readable(report));
  if (!isGood(report)) process.exitCode = 1;
}

function isGood({ conformance, clients = [] }: GatewayReport): boolean {
  const suites = Object.values(conformance ?? {});
  return suites.every(({ failed }) => failed.length === 0) && clients.every(isGoodClient);
}

function isGoodClient(client: ClientCheck): boolean {
  return client.auth === 'oauth' && checks(client).every(Boolean);
}

function readable({ conformance, clients }: GatewayReport): string {
  const suites = Object.entries(conformance ?? {}).map(([set, { required, passed, failed }]) =>
    [
      `${set}: ${passed} of ${required} required scenarios passed`,
      ...failed.map((scenario) => `  FAILED ${scenario}`),
    ].join('\n'),
  );
  if (!clients) return suites.join('\n');
  const heading = [
    'client',
    'protocol',
    'signs in',
    'lists',
    'searches',
    'calls',
    'hidden stays hidden',
    'switched off is refused',
  ];
  const rows = clients.map((client) => [
    `${client.name} ${client.version}`,
    client.era,
    client.auth,
    ...checks(client).map((ok) => (ok ? 'yes' : 'NO')),
  ]);
  return [...suites, textTable([heading, ...rows])].join('\n');
}

function checks({ listed, searched, called, hiddenStaysHidden, killedIsRefused }: ClientCheck): readonly boolean[] {
  return [listed, searched, called, hiddenStaysHidden, killedIsRefused];
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
