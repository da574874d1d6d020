import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { BrokerAddress } from '../produce-connection.js';

/** Stands before a broker, on the way of whoever connects to it. */
export class BrokerProxy {
  /** What happens to answers: the next one is lost with its connection, or none ever comes. */
  answers: 'pass' | 'lose the next' | 'none' = 'pass';
  /** Requests that were passed on, and the connections that are open. */
  requests = 0;
  readonly open = new Set<Socket>();
  private readonly server = createServer((client) => this.join(client));

  private constructor(private readonly broker: BrokerAddress) {}

  /** @param brokers a list, of which it stands before the first */
  static async start(brokers: string): Promise<BrokerProxy> {
    const [host, port] = brokers.split(',')[0]!.split(':');
    const proxy = new BrokerProxy({ host: host!, port: Number(port) });
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get address(): BrokerAddress {
    return { host: '127.0.0.1', port: (this.server.address() as AddressInfo).port };
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    const broker = connect(this.broker);
    for (const [socket, other] of [
      [client, broker],
      [broker, client],
    ] as const) {
      this.open.add(socket);
      socket.on('error', () => {}); // 'close' follows
      socket.on('close', () => {
        this.open.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes) => {
      this.requests += 1;
      broker.write(bytes);
    });
    broker.on('data', (bytes) => this.answer(client, bytes));
  }

  private answer(client: Socket, bytes: Buffer): void {
    if (this.answers === 'pass') client.write(bytes);
    if (this.answers !== 'lose the next') return;
    this.answers = 'pass';
    client.destroy();
  }
}
