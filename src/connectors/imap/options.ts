import type { ImapFlowOptions, ImapTransportSocket } from 'imapflow'
import type { Socket } from 'node:net'
import { withoutLogin } from '../login-words.ts'
import { type MailFailure, failureOf } from './failures.ts'
import { secondGreeting } from './start.ts'

/** Connection options for a mail server, over an existing socket that is secured by TLS. */
export interface ImapDoor {
  socket: Socket
  /** TLS was started with STARTTLS, so the server has already sent its greeting. */
  hasGreeted: boolean
  user: string
  password?: string | undefined
  accessToken?: string | undefined
  /** Waits for news whenever no other command is running. */
  watches?: boolean
}

const socketTimeoutMs = 60_000
const restartsIdle = 110_000
const largestAnswer = 48 * 2 ** 20
const largestLine = 16 * 2 ** 20
const maxTokens = 400_000

export function failureAt(door: ImapDoor, error: unknown): MailFailure {
  return failureOf(withoutLogin(error, door), door.accessToken !== undefined)
}

export function optionsFor({
  socket,
  hasGreeted,
  user,
  password,
  accessToken,
  watches = false,
}: ImapDoor): ImapFlowOptions {
  return {
    host: 'mail', // never dialled, for the connection is given
    port: 993,
    secure: true,
    transport: {
      connect(_, onConnect) {
        if (hasGreeted) socket.unshift(Buffer.from(secondGreeting))
        setImmediate(onConnect)
        return socket as ImapTransportSocket
      },
    },
    auth: { user, ...(accessToken === undefined ? { pass: password ?? '' } : { accessToken }) },
    clientInfo: { name: 'Workspace' },
    logger: false,
    qresync: true,
    disableAutoIdle: !watches,
    autoIdleDelay: 50,
    maxIdleTime: restartsIdle,
    greetingTimeout: 20_000,
    connectionTimeout: 30_000,
    socketTimeout: watches ? 2 * restartsIdle : socketTimeoutMs,
    maxLineLength: largestLine,
    maxLiteralSize: largestAnswer,
    maxResponseSize: 2 * largestAnswer,
    maxResponseTokens: maxTokens,
  }
}
