import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections of a server: the TCP sockets and, with TLS, the sockets inside them. */
export class Connections {
  readonly all = new Set<Socket>()
  /** Connections on which answers are written: data pending in them was not taken by the caller. */
  readonly readable: ReadonlySet<Socket>
  readonly #isUsed: (socket: Socket) => boolean

  constructor(server: Server, isEncrypted: boolean) {
    server.on('connection', (socket: Socket) =>
      this.all.add(socket.once('close', () => this.all.delete(socket))),
    )
    if (!isEncrypted) {
      this.readable = this.all
      this.#isUsed = (socket) => socket.bytesRead > 0
      return
    }
    const secured = new Map<string, Socket>()
    const inside = new Set<Socket>()
    server.on('secureConnection', (socket: Socket) => {
      const end = remoteEndpointOf(socket)
      secured.set(end, socket)
      inside.add(socket)
      socket.once('close', () => {
        inside.delete(socket)
        if (secured.get(end) === socket) secured.delete(end)
      })
    })
    this.readable = inside
    this.#isUsed = (socket) => (secured.get(remoteEndpointOf(socket))?.bytesRead ?? 0) > 0
  }

  get count(): number {
    return this.all.size
  }

  /** Ends connections without data: Node counts connections opened in advance as active until data arrives. */
  endUnused(): void {
    for (const socket of this.all) if (!this.#isUsed(socket)) socket.destroy()
  }
}

/** Key that a TLS connection shares with the underlying one. */
function remoteEndpointOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
