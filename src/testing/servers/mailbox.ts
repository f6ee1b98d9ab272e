import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMessage {
  from: string
  to: string[]
  /** Message as received over the wire. */
  raw: string
  /** By lower-case name, unfolded. */
  headers: Map<string, string>
}

/** An external mail server, on loopback: stores received mail. */
export interface Mailbox {
  /** Value for `mail_server`. */
  url: string
  /** Value for `outbound_allow`. */
  opening: string
  readonly letters: ReceivedMessage[]
  close(): Promise<void>
}

/**
 * `refuse` decides how a message is refused, by its recipient and the number of earlier ones; `after`: milliseconds
 * before it is accepted.
 */
export async function startMailbox(
  more: {
    refuse?: (to: string, n: number) => number | undefined
    after?: number
    port?: number
    user?: string
    pass?: string
  } = {},
): Promise<Mailbox> {
  const letters: ReceivedMessage[] = []
  let tried = 0
  const server = new SMTPServer({
    disabledCommands: more.user === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    authOptional: more.user === undefined,
    onAuth({ username, password }, _, done) {
      done(
        username === more.user && password === more.pass
          ? null
          : new Error('Wrong name or password'),
        { user: username },
      )
    },
    onRcptTo({ address }, _, done) {
      const code = more.refuse?.(address, tried++)
      done(
        code === undefined ? null : Object.assign(new Error('Not taken'), { responseCode: code }),
      )
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const raw = Buffer.concat(parts).toString()
        letters.push({
          from: (envelope.mailFrom as { address: string }).address,
          to: envelope.rcptTo.map((item) => item.address),
          raw,
          headers: headersOf(raw),
        })
        setTimeout(() => done(), more.after ?? 0)
      })
    },
  })
  server.on('error', () => {}) // clients that are killed
  await new Promise<void>((go) => server.listen(more.port ?? 0, '127.0.0.1', go))
  const { port } = server.server.address() as AddressInfo
  const user = more.user === undefined ? '' : `${encodeURIComponent(more.user)}@`
  return {
    url: `smtp+plain://${user}127.0.0.1:${port}`,
    opening: `127.0.0.1:${port}`,
    letters,
    close: () => new Promise((go) => server.close(() => go())),
  }
}

function headersOf(raw: string): Map<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  return new Map(
    head
      .split('\r\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  )
}
