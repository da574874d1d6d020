import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Knows which connections carry a running request, so that a stop can end the others at once. Node's own
 * `closeIdleConnections` leaves those open that never sent a request, as browsers and proxies keep them ready.
 */
export class OpenConnections {
  private readonly idle = new Set<Socket>();
  private closing = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => this.onConnection(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.onRequest(request.socket, response));
  }

  /** Takes no new connection and resolves when the last running request has its answer, or was cut off after `limitMs`. */
  close(limitMs: number): Promise<void> {
    this.closing = true;
    return new Promise((resolve, reject) => {
      const cutOff = setTimeout(() => this.server.closeAllConnections(), limitMs);
      this.server.close((error) => {
        clearTimeout(cutOff);
        if (error) reject(error);
        else resolve();
      });
      for (const socket of this.idle) socket.destroy();
    });
  }

  private onConnection(socket: Socket): void {
    this.idle.add(socket);
    socket.once('close', () => this.idle.delete(socket));
  }

  private onRequest(socket: Socket, response: ServerResponse): void {
    this.idle.delete(socket);
    response.once('close', () => {
      if (this.closing) socket.destroySoon();
      else if (!socket.destroyed) this.idle.add(socket);
    });
  }
}
