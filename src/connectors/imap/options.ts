import type { ImapFlowOptions, ImapTransportSocket } from 'imapflow'
import type { Socket } from 'node:net'
import { withoutCredentials } from '../login-words.ts'
import { type MailFailure, failureOf } from './failures.ts'
import { syntheticGreeting } from './start.ts'

/** Connection options for a mail server, over an existing socket that is secured by TLS. */
export interface ImapConnection {
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
const maxIdleMs = 110_000
const maxAnswerBytes = 48 * 2 ** 20
const maxLineBytes = 16 * 2 ** 20
const maxTokens = 400_000

export function failureAt(door: ImapConnection, error: unknown): MailFailure {
  return failureOf(withoutCredentials(error, door), door.accessToken !== undefined)
}

export function optionsFor({
  socket,
  hasGreeted,
  user,
  password,
  accessToken,
  watches = false,
}: ImapConnection): ImapFlowOptions {
  return {
    host: 'mail', // not used: the socket is already connected
    port: 993,
    secure: true,
    transport: {
      connect(_, onConnect) {
        if (hasGreeted) socket.unshift(Buffer.from(syntheticGreeting))
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
    maxIdleTime: maxIdleMs,
    greetingTimeout: 20_000,
    connectionTimeout: 30_000,
    socketTimeout: watches ? 2 * maxIdleMs : socketTimeoutMs,
    maxLineLength: maxLineBytes,
    maxLiteralSize: maxAnswerBytes,
    maxResponseSize: 2 * maxAnswerBytes,
    maxResponseTokens: maxTokens,
  }
}
