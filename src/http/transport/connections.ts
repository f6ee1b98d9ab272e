import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections of a server: the TCP sockets and, with TLS, the sockets inside them. */
export class Connections {
  readonly all = new Set<Socket>()
  /** Sockets to which answers are written: their pending bytes were not yet read by the caller. */
  readonly plaintextSockets: ReadonlySet<Socket>
  readonly #isUsed: (socket: Socket) => boolean

  constructor(server: Server, isEncrypted: boolean) {
    server.on('connection', (socket: Socket) =>
      this.all.add(socket.once('close', () => this.all.delete(socket))),
    )
    if (!isEncrypted) {
      this.plaintextSockets = this.all
      this.#isUsed = (socket) => socket.bytesRead > 0
      return
    }
    const secured = new Map<string, Socket>()
    const tlsSockets = new Set<Socket>()
    server.on('secureConnection', (socket: Socket) => {
      const remote = remoteEndpointOf(socket)
      secured.set(remote, socket)
      tlsSockets.add(socket)
      socket.once('close', () => {
        tlsSockets.delete(socket)
        if (secured.get(remote) === socket) secured.delete(remote)
      })
    })
    this.plaintextSockets = tlsSockets
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
