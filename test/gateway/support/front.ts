import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of an application, whose address is known before the application has one. */
export class Front {
  #port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((incoming) => {
    const outgoing = connect(this.#port, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => (this.#sockets.delete(socket), other.destroy()));
      socket.pipe(other);
    }
  });

  /** Resolves when it listens. */
  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Passes connections on to this address. */
  to(url: string): void {
    this.#port = Number(new URL(url).port);
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
