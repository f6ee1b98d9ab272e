import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'

/**
 * A proxy in front of a real IMAP or SMTP server that rejects some commands, like servers that are over quota,
 * read-only or partly broken, or delays one.
 */
export interface RefusingDoor {
  port: number
  /** Sets the commands to reject from now on (`UID MOVE`), and clears the list of rejected ones; undefined: none. */
  refuse(commands: RegExp | undefined): void
  refused: string[]
  /** Modifies the server's output from now on, chunk by chunk; undefined: nothing. */
  rewrite(change: ((text: string) => string) | undefined): void
  /** Delays the next such command (`DATA`). `reached`: it arrived; `go`: forwards it. */
  hold(command: RegExp): { reached: Promise<void>; go(): void }
  close(): Promise<void>
}

export async function openRefusingDoor({
  host,
  port,
  cert,
  key,
}: {
  host: string
  port: number
  cert: string
  key: string
}): Promise<RefusingDoor> {
  let commands: RegExp | undefined
  let rewritten: ((text: string) => string) | undefined
  const refused: string[] = []
  let pause: { command: RegExp; reach: () => void; gone: Promise<void> } | undefined
  const sockets = new Set<TLSSocket>()
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (client) => {
    const behind = connect({ host, port, ca: readFileSync(cert) })
    for (const item of [client, behind]) {
      sockets.add(item)
      item
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(item)
          client.destroy()
          behind.destroy()
        })
    }
    behind.on('data', (chunk) =>
      client.write(rewritten ? Buffer.from(rewritten(chunk.toString('latin1')), 'latin1') : chunk),
    )
    client.on('data', async (chunk: Buffer) => {
      if (pause?.command.test(chunk.toString('latin1'))) {
        const { reach, gone } = pause
        pause = undefined
        reach()
        await gone
      }
      const [, tag, command] = /^(\S+) ([^\r\n]*)/.exec(chunk.toString('latin1')) ?? []
      if (!commands || tag === undefined || !commands.test(command!))
        return void behind.write(chunk)
      refused.push(command!)
      client.write(`${tag} NO [UNAVAILABLE] Not now.\r\n`)
    })
  })
  await new Promise<void>((go) => server.listen(0, host, go))
  return {
    port: (server.address() as AddressInfo).port,
    refuse: (wanted) => {
      commands = wanted
      refused.splice(0)
    },
    refused,
    rewrite: (change) => void (rewritten = change),
    hold: (command) => {
      const [reached, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      pause = { command, reach: reached.resolve, gone: gone.promise }
      return { reached: reached.promise, go: gone.resolve }
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((go) => server.close(go))
    },
  }
}
