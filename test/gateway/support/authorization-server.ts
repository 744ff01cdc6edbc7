import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The redirect URI of the client `desktop`. Nothing listens there: tests read the address. */
export const REDIRECT_URI = 'http://127.0.0.1:47113/callback';
export const ROBOT = { clientId: 'robot', clientSecret: 'secret-of-the-robot' };

/** A real authorization server, `oidc-provider`, in a process of its own. */
export class AuthorizationServer {
  #ids = 0;

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** @param file the program of the server. @param redirectUri that its client may use */
  static async start(
    file = join(__dirname, 'oidc-provider-child.mjs'),
    redirectUri = REDIRECT_URI,
  ): Promise<AuthorizationServer> {
    const child = fork(file, [redirectUri], {
      // Its warnings are about its use in production.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
    });
    const [{ url }] = (await once(child, 'message')) as [{ url: string }];
    return new AuthorizationServer(url, child);
  }

  /** A token for the client `robot`, which may have every scope. */
  async issue(resource: string, scope = 'mcp'): Promise<string> {
    const response = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${ROBOT.clientId}:${ROBOT.clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
    });
    const answer = (await response.json()) as { access_token?: string };
    if (answer.access_token === undefined) throw new Error(`no token: ${JSON.stringify(answer)}`);
    return answer.access_token;
  }

  /** A token of this server's key that it would not issue itself. */
  async sign(claims: object, header: object = {}): Promise<string> {
    return (await this.command<{ token: string }>('sign', { claims, header })).token;
  }

  /** Signs from now on with a new key. @param keep whether tokens of earlier keys still count */
  async rotate(keep: boolean): Promise<void> {
    await this.command('rotate', { keep });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    this.child.disconnect();
    await once(this.child, 'exit');
  }

  /** Runs a command of the program. */
  async command<T>(name: string, input: object = {}): Promise<T> {
    const id = ++this.#ids;
    this.child.send({ id, name, ...input });
    for (;;) {
      const [answer] = (await once(this.child, 'message')) as [{ id: number } & T];
      if (answer.id === id) return answer;
    }
  }
}
