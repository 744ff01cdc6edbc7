import { checkClients, type ClientCheck } from './clients/check-clients.js';
import { checkConformance, type ConformanceCheck } from './conformance/check-conformance.js';
import { CLIENTS } from './clients/client-table.js';
import { installPackages, NODE, SUITE } from './installed-packages.js';
import { enterLoopbackNamespace } from './loopback-namespace.js';
import { textTable } from '../measuring/text-table.js';
import { packageCache } from '../scenarios/installed-package.js';
import { main } from '../command/command.js';
import { oneOf, text } from '../command/options.js';

interface GatewayReport {
  readonly conformance?: ConformanceCheck;
  readonly clients?: readonly ClientCheck[];
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

main({
  purpose:
    'The conformance suite of the protocol and real clients against the gateway, without a network; Linux only. The clients ' +
    'sign in with OAuth. Installs 1.6 GB of packages once.',
  options: { only: oneOf(['conformance', 'clients']), cache: text('FOLDER') },
  run: async ({ only, cache = packageCache('gateway') }): Promise<GatewayReport> => {
    const [withSuite, withClients] = [only !== 'clients', only !== 'conformance'];
    const wanted = [NODE, ...(withSuite ? [SUITE] : []), ...(withClients ? CLIENTS : [])];
    const packages = await installPackages(wanted, cache);
    await enterLoopbackNamespace();
    return {
      ...(withSuite && { conformance: await checkConformance(packages) }),
      ...(withClients && { clients: await checkClients(packages) }),
    };
  },
  text: readable,
  fault: (report) => (isGood(report) ? undefined : 'a scenario or a client failed'),
});
