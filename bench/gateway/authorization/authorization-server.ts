import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

// The compiler emits no such module, so it runs from its source.
const PROGRAM = join(__dirname, '../../../../bench/gateway/authorization/authorization-server-child.mjs');

/** A real authorization server, `oidc-provider`, in a process of its own. */
export class AuthorizationServer {
  private constructor(
    /** Its issuer. */
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** @throws Error if it ends before it is ready */
  static async start(): Promise<AuthorizationServer> {
    // Its warnings are about its use in production.
    const child = fork(PROGRAM, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] });
    const { url } = await answerOf<{ url: string }>(child);
    return new AuthorizationServer(url, child);
  }

  /** For how many authorization codes it has issued an access token. */
  async codes(): Promise<number> {
    this.child.send('codes');
    return (await answerOf<{ codes: number }>(this.child)).codes;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    this.child.disconnect();
    await once(this.child, 'exit');
  }
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the authorization server ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}
