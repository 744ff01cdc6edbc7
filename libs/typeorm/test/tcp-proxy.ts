import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy that can stop forwarding without closing connections, like a firewall that lost their state. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Connections opened so far. */
  connections = 0;

  constructor(
    private readonly target: URL,
    rewrite: (sent: Buffer) => Buffer = (sent) => sent,
  ) {
    this.#server = createServer((near) => {
      const far = connect(Number(target.port || 5432), target.hostname);
      this.connections += 1;
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
      }
      near.on('data', (sent: Buffer) => far.write(rewrite(sent)));
      near.on('end', () => far.end());
      far.pipe(near);
    });
  }

  /** Starts the proxy and returns its address; on a free port unless one is given. */
  async open(port = 0): Promise<URL> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address() as AddressInfo;
    return Object.assign(new URL(this.target), { hostname: '127.0.0.1', port: `${address.port}` });
  }

  /** Stops forwarding on the existing connections, in both directions. */
  fallSilent(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
