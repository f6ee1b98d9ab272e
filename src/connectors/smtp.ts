import type { Socket } from 'node:net'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'

/** A connection to a mail server, and how to speak over it. */
export interface Relay {
  socket: Socket
  /** The name against which its certificate is held. */
  host: string
  /** secured: the connection speaks TLS already; start: it has to with STARTTLS; none: in the clear. */
  tls: 'secured' | 'start' | 'none'
  auth: { user: string; pass: string } | undefined
}

export interface Letter {
  from: { name: string; address: string }
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /** With its angle brackets. The same at every try, by which readers know a mail that came twice. */
  messageId: string
  date: Date
  headers: Record<string, string>
}

/** A letter that was not taken. `isFinal`: nor will it be, whenever it is tried. */
export class NotTaken extends Error {
  readonly isFinal: boolean

  constructor(isFinal: boolean, cause: unknown) {
    super(`The mail server did not take it: ${cause instanceof Error ? cause.message : String(cause)}`.slice(0, 300), { cause })
    this.isFinal = isFinal
  }
}

const patience = 30_000

/** Sends one letter and ends the connection. @throws NotTaken */
export async function sendLetter(relay: Relay, letter: Letter, signal: AbortSignal): Promise<void> {
  const [{ default: MailComposer }, { default: Connection }] = await Promise.all([import('nodemailer/lib/mail-composer'), import('nodemailer/lib/smtp-connection')])
  const message = await new MailComposer({ ...letter, disableFileAccess: true, disableUrlAccess: true }).compile().build()
  const connection = new Connection({
    connection: relay.socket,
    host: relay.host,
    secure: relay.tls === 'secured',
    secured: relay.tls === 'secured',
    requireTLS: relay.tls === 'start',
    ignoreTLS: relay.tls === 'none',
    greetingTimeout: patience,
    socketTimeout: patience,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
  })
  const broken = new Promise<never>((_, reject) => {
    connection.once('error', reject)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  broken.catch(() => {}) // it may break after all was said
  try {
    await Promise.race([broken, talk(connection, relay, letter, message)])
  } catch (error) {
    throw error instanceof NotTaken ? error : new NotTaken(false, error)
  } finally {
    connection.close()
    relay.socket.destroy()
  }
}

async function talk(connection: SMTPConnection, { auth }: Relay, { from, to }: Letter, message: Buffer): Promise<void> {
  await step(done => connection.connect(done))
  if (auth) await step(done => connection.login({ user: auth.user, pass: auth.pass }, done))
  try {
    await step(done => connection.send({ from: from.address, to: [to.address] }, message, done))
  } catch (error) {
    throw new NotTaken(isFinal(error), error)
  }
}

/** A server that does not want us at all (authentication, rules of its own) may be set right; one that does not want this letter stays so. */
function isFinal(error: unknown): boolean {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string }
  return responseCode >= 500 && responseCode < 600 && ![530, 534, 535, 538].includes(responseCode) && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

function step(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => begin(error => (error ? reject(error) : resolve())))
}
