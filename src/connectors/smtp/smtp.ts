import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'

import { withoutCredentials } from '../login-words.ts'

export { startSmtpTls, syntheticGreeting } from './start.ts'

/** A connection to a mail server and its protocol options. */
export interface Relay {
  socket: Socket
  /** Name that its certificate must match. */
  host: string
  /** secured: TLS is already established; start: STARTTLS required; none: unencrypted. */
  tls: 'secured' | 'start' | 'none'
  auth: { user: string; pass: string } | { user: string; accessToken: string } | undefined
  /** Host name for the greeting; default: the name of this machine. */
  name?: string
}

export interface SmtpMessage {
  from: { name: string; address: string }
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /** With angle brackets. The same at every try, so that readers recognize duplicates. */
  messageId: string
  date: Date
  headers: Record<string, string>
}

/** A composed message and its recipients. */
export interface SmtpDelivery {
  from: string
  to: readonly string[]
  bytes: Uint8Array
  /** Awaited before the first byte of the message is sent. Until then nothing can have been delivered. */
  beforeData?(): Promise<void>
}

export interface DeliveryResult {
  /** The server's reply. */
  response: string
  /** Recipients that the server refused. */
  refused: { address: string; problem: string }[]
}

/** Reason why a message was not accepted. `isFinal`: retrying is pointless. */
export class DeliveryFailure extends Error {
  readonly isFinal: boolean
  /** The connection broke while the complete message was being sent: acceptance is unknown. */
  readonly isUncertain: boolean
  /** The server refused the password or the token. */
  readonly isSignIn: boolean

  constructor(isFinal: boolean, cause: unknown, isUncertain = false) {
    super(
      `The mail server did not accept it: ${cause instanceof Error ? cause.message : String(cause)}`.slice(
        0,
        300,
      ),
      { cause },
    )
    this.isFinal = isFinal
    this.isUncertain = isUncertain
    this.isSignIn = (cause as { code?: string } | undefined)?.code === 'EAUTH'
  }
}

const socketTimeoutMs = 30_000
/** After the last byte a server checks for spam and viruses and writes to its disk. */
const finalReplyTimeoutMs = 300_000

/** Sends one message and ends the connection. @throws DeliveryFailure */
export async function sendLetter(
  relay: Relay,
  letter: SmtpMessage,
  signal: AbortSignal,
): Promise<void> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const bytes = await new MailComposer({
    ...letter,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
  await sendBytes(relay, { from: letter.from.address, to: [letter.to.address], bytes }, signal)
}

/** Sends a composed message and ends the connection. @throws DeliveryFailure */
export async function sendBytes(
  relay: Relay,
  delivery: SmtpDelivery,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection({
    connection: relay.socket,
    host: relay.host,
    ...(relay.name === undefined ? {} : { name: relay.name }),
    secure: relay.tls === 'secured',
    secured: relay.tls === 'secured',
    requireTLS: relay.tls === 'start',
    ignoreTLS: relay.tls === 'none',
    greetingTimeout: socketTimeoutMs,
    socketTimeout: socketTimeoutMs,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
  })
  const broken = new Promise<never>((_, reject) => {
    connection.once('error', reject)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  broken.catch(() => {}) // it may also break after the exchange is complete
  const progress = { mayBeComplete: false }
  try {
    return await Promise.race([broken, deliver(connection, relay, delivery, progress)])
  } catch (error) {
    throw error instanceof DeliveryFailure
      ? error
      : new DeliveryFailure(false, error, progress.mayBeComplete)
  } finally {
    connection.close()
    relay.socket.destroy()
  }
}

async function deliver(
  connection: SMTPConnection,
  { auth, socket }: Relay,
  { from, to, bytes, beforeData }: SmtpDelivery,
  progress: { mayBeComplete: boolean },
): Promise<DeliveryResult> {
  await awaitCallback((done) => connection.connect(done))
  if (auth)
    await awaitCallback((done) =>
      connection.login(signIn(auth) as Parameters<SMTPConnection['login']>[0], (error) =>
        done(
          error &&
            withoutCredentials(
              error,
              'pass' in auth ? { user: auth.user, password: auth.pass } : auth,
            ),
        ),
      ),
    )
  async function* letter() {
    await beforeData?.()
    progress.mayBeComplete = true // from here on the end of the letter may be among the bytes that reached the server
    socket.setTimeout(finalReplyTimeoutMs)
    yield bytes
  }
  try {
    const result = await submitLetter(
      connection,
      { from, to: [...to], size: bytes.length },
      Readable.from(letter(), { objectMode: false }),
    )
    return {
      response: result.response ?? '',
      refused: (result.rejectedErrors ?? []).map(refusedRecipient),
    }
  } catch (error) {
    throw new DeliveryFailure(isFinal(error), error, progress.mayBeComplete && !hasAnswered(error))
  }
}

type Result = { response?: string; rejectedErrors?: { recipient?: string; message: string }[] }

function submitLetter(
  connection: SMTPConnection,
  envelope: { from: string; to: string[]; size: number },
  letter: Readable,
): Promise<Result> {
  return new Promise((resolve, reject) =>
    connection.send(envelope, letter, (error: Error | null, result?: unknown) =>
      error ? reject(error) : resolve((result ?? {}) as Result),
    ),
  )
}

function refusedRecipient({
  recipient = '',
  message,
}: {
  recipient?: string
  message: string
}): DeliveryResult['refused'][number] {
  return { address: recipient, problem: message.slice(0, 300) }
}

/** A token is used once: if refused, a new connection is made with a fresh one. */
function signIn(auth: NonNullable<Relay['auth']>): object {
  if ('pass' in auth) return auth
  const { user, accessToken } = auth
  const oauth2 = {
    getToken: (again: boolean, done: (error: Error | null, token?: string) => void) =>
      again ? done(new Error('The server refused the access token.')) : done(null, accessToken),
    buildXOAuth2Token: (token: string) =>
      Buffer.from(`user=${user}\u0001auth=Bearer ${token}\u0001\u0001`).toString('base64'),
  }
  return { user, oauth2 }
}

/** Whether the server itself refused, and so has not accepted the message. */
function hasAnswered(error: unknown): boolean {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string }
  return responseCode >= 400 && responseCode < 600 && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

/**
 * Whether retrying is pointless. A server that refuses us altogether (authentication, policy) may be fixed.
 */
function isFinal(error: unknown): boolean {
  const {
    responseCode = 0,
    code,
    message = '',
  } = error as { responseCode?: number; code?: string; message?: string }
  if (code === 'EMESSAGE' && message.startsWith('Message size larger')) return true
  return (
    responseCode >= 500 &&
    responseCode < 600 &&
    ![530, 534, 535, 538].includes(responseCode) &&
    (code === 'EENVELOPE' || code === 'EMESSAGE')
  )
}

function awaitCallback(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))
}
