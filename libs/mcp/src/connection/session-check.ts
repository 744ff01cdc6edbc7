import type { Client } from '@modelcontextprotocol/client';
import { HttpTransport } from '../transport/http-transport.js';
import type { StdioTransport } from '../transport/stdio-transport.js';
import { mayRepeat, type PingOutcome, pingOutcome, sessionVerdict } from './session-loss.js';

const MAX_PING_MS = 2_000;

/** `repeat` if the server says that it has not run the request, because it has lost the session; `lost` if nobody knows. */
export type SessionLoss = 'repeat' | 'lost';

/** Finds out, after a request has failed, whether the server still has the session of a connection. */
export class SessionCheck {
  #pinging: Promise<PingOutcome> | undefined;

  /** @param explained adds to an error what the server says */
  constructor(
    private readonly client: Client,
    private readonly transport: HttpTransport | StdioTransport,
    private readonly explained: (error: unknown) => unknown,
  ) {}

  /** @returns undefined if the server has the session */
  async lossOf(error: unknown): Promise<SessionLoss | undefined> {
    const hasSession = this.transport instanceof HttpTransport && this.transport.sessionId !== undefined;
    const verdict = sessionVerdict(error, hasSession);
    if (verdict === 'fine') return undefined;
    const ping = verdict === 'unknown' ? 'denied' : await this.#ping();
    if (ping === 'answered') return undefined;
    return ping === 'denied' && mayRepeat(error) ? 'repeat' : 'lost';
  }

  /** Asks the server for a sign of this session, once for all requests that doubt it at the same time. */
  #ping(): Promise<PingOutcome> {
    const { client } = this;
    const asked = { timeout: MAX_PING_MS };
    // Since 2026-07-28 the protocol has no ping.
    const ping = async () =>
      void (await (client.getProtocolEra() === 'modern' ? client.discover(asked) : client.ping(asked)));
    this.#pinging ??= ping()
      .then(
        () => 'answered' as const,
        (error: unknown) => pingOutcome(this.explained(error)),
      )
      .then((outcome) => {
        // A session that is denied stays so, and the connection closes meanwhile: no later ping would be answered.
        if (outcome !== 'denied') this.#pinging = undefined;
        return outcome;
      });
    return this.#pinging;
  }
}
