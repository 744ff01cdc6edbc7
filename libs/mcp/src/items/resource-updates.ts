import type { Client } from '@modelcontextprotocol/client';
import type { Following } from './followed-resources.js';

/** The resources whose updates a server reports over one connection. */
export class ResourceUpdates {
  readonly #listeners = new Map<string, () => void>();

  /** @param gone aborts when the connection has ended */
  constructor(
    private readonly client: Client,
    private readonly gone: AbortSignal,
  ) {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      this.#listeners.get(params.uri)?.(),
    );
  }

  /** Asks the server to report updates of a resource; undefined if it cannot. @throws the error of the SDK */
  async follow(uri: string, updated: () => void, timeout: number): Promise<Following | undefined> {
    const { client } = this;
    if (!client.getServerCapabilities()?.resources?.subscribe) return undefined;
    this.#listeners.set(uri, updated);
    const isModern = client.getProtocolEra() === 'modern';
    try {
      return await (isModern ? this.#listen(uri, timeout) : this.#subscribe(uri, timeout));
    } catch (error) {
      this.#listeners.delete(uri);
      throw error;
    }
  }

  async #listen(uri: string, timeout: number): Promise<Following> {
    const subscription = await this.client.listen({ resourceSubscriptions: [uri] }, { timeout, signal: this.gone });
    return {
      lost: subscription.closed.then(() => undefined),
      end: () => {
        this.#listeners.delete(uri);
        void subscription.close().catch(() => undefined);
      },
    };
  }

  async #subscribe(uri: string, timeout: number): Promise<Following> {
    await this.client.request({ method: 'resources/subscribe', params: { uri } }, { timeout });
    return {
      lost: new Promise((resolve) => {
        if (this.gone.aborted) resolve();
        else this.gone.addEventListener('abort', () => resolve(), { once: true });
      }),
      end: () => {
        this.#listeners.delete(uri);
        if (this.gone.aborted) return;
        const request = { method: 'resources/unsubscribe' as const, params: { uri } };
        this.client.request(request, { timeout }).catch(() => undefined);
      },
    };
  }
}
