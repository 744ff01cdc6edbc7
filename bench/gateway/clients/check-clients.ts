import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOf, type InstalledPackages, nodeOf } from '../installed-packages.js';
import { type Client, CLIENTS } from './client-table.js';
import { type GovernedServer, TENANT_TOKEN, withGovernedServer } from './governed-server.js';
import { type Verdict, verdictOf } from './story.js';
import { WireRecorder } from './wire-recorder.js';

/** Result for one client. */
export interface ClientCheck extends Verdict {
  readonly name: string;
  readonly version: string;
  /** The protocol version that it used. */
  readonly era: string;
}

/** Lets every client play the story against the reference server, one after the other. */
export function checkClients(packages: InstalledPackages): Promise<ClientCheck[]> {
  return withGovernedServer(async (server) => {
    const checks: ClientCheck[] = [];
    for (const client of CLIENTS) {
      const { name, version } = client;
      checks.push({ name, version, ...(await checkClient(client, server, packages)) });
    }
    return checks;
  });
}

async function checkClient(client: Client, server: GovernedServer, packages: InstalledPackages) {
  const home = mkdtempSync(join(tmpdir(), 'tool-search-client-'));
  const recorder = await WireRecorder.start(server.url);
  try {
    const place = {
      installed: folderOf(packages, client),
      home,
      mcpUrl: `${recorder.url}/mcp`,
      token: TENANT_TOKEN,
      node: nodeOf(packages),
    };
    const played = await client.play(place, () => server.kill());
    return { era: recorder.era, ...verdictOf(played) };
  } finally {
    await server.revive();
    await recorder.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
