import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthorizationServer } from '../authorization/authorization-server.js';
import { browserFaults, installBrowser } from '../authorization/browser-command.js';
import { folderOf, type InstalledPackages, nodeOf } from '../installed-packages.js';
import { type Client, CLIENTS } from './client-table.js';
import { type GovernedServer, LOGIN, withGovernedServer } from './governed-server.js';
import { type Verdict, verdictOf } from './story.js';
import { WireRecorder } from './wire-recorder.js';

/** Result for one client. */
export interface ClientCheck extends Verdict {
  readonly name: string;
  readonly version: string;
  /** The protocol version that it used. */
  readonly era: string;
  /** `oauth`: it found the authorization server, registered itself there, and got its access token by a code. */
  readonly auth: 'oauth' | 'none';
}

interface Surroundings {
  readonly server: GovernedServer;
  readonly issuer: AuthorizationServer;
  readonly recorder: WireRecorder;
  readonly packages: InstalledPackages;
}

/** Lets every client sign in and play the story against the reference server, one after the other. */
export async function checkClients(packages: InstalledPackages): Promise<ClientCheck[]> {
  const issuer = await AuthorizationServer.start();
  const recorder = await WireRecorder.start();
  try {
    return await withGovernedServer({ issuer: issuer.url, resource: `${recorder.url}/mcp` }, async (server) => {
      recorder.target = server.url;
      const checks: ClientCheck[] = [];
      for (const client of CLIENTS) {
        const { name, version } = client;
        const check = await checkClient(client, { server, issuer, recorder, packages });
        checks.push({ name, version, ...check });
      }
      return checks;
    });
  } finally {
    await recorder.close();
    await issuer.stop();
  }
}

async function checkClient(client: Client, { server, issuer, recorder, packages }: Surroundings) {
  const home = mkdtempSync(join(tmpdir(), 'tool-search-client-'));
  const codes = await issuer.codes();
  recorder.era = '';
  try {
    const place = {
      installed: folderOf(packages, client),
      home,
      browser: installBrowser(home, LOGIN),
      mcpUrl: `${recorder.url}/mcp`,
      node: nodeOf(packages),
    };
    const played = await client.play(place, () => server.kill());
    const auth: ClientCheck['auth'] = (await issuer.codes()) > codes ? 'oauth' : 'none';
    if (auth === 'none') console.error(`${client.name} got no token. ${browserFaults(home)}`);
    return { era: recorder.era, auth, ...verdictOf(played) };
  } finally {
    await server.revive();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
