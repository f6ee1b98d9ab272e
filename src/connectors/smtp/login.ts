import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { withoutCredentials } from '../login-words.ts'
import type { Relay } from './smtp.ts'

/** The server refused the sign-in, in its own words. Other errors mean other problems. */
export class SmtpLoginRefusal extends Error {}

/** Signs in to an outgoing mail server and disconnects. @throws SmtpLoginRefusal */
export async function trySmtpLogin(
  relay: Omit<Relay, 'auth'>,
  login: { user: string } & ({ password: string } | { accessToken: string }),
  signal: AbortSignal,
): Promise<void> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const isSecured = relay.tls === 'secured'
  const connection = new Connection({
    connection: relay.socket,
    host: relay.host,
    secure: isSecured,
    secured: isSecured,
    requireTLS: relay.tls === 'start',
    greetingTimeout: 15_000,
    socketTimeout: 15_000,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
  })
  const broken = new Promise<never>((_, reject) => {
    connection.once('error', reject)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  broken.catch(() => {}) // it may also break after the exchange is complete
  try {
    await Promise.race([broken, signIn(connection, login)])
  } finally {
    connection.close()
    relay.socket.destroy()
  }
}

async function signIn(
  connection: SMTPConnection,
  login: { user: string } & ({ password: string } | { accessToken: string }),
): Promise<void> {
  await new Promise<void>(
    (resolve, reject) => void connection.connect((error) => (error ? reject(error) : resolve())),
  )
  const auth =
    'accessToken' in login
      ? { user: login.user, oauth2: tokenOf(login) }
      : { user: login.user, pass: login.password }
  await new Promise<void>(
    (resolve, reject) =>
      void connection.login(auth as Parameters<typeof connection.login>[0], (error) =>
        error ? reject(smtpLoginError(withoutCredentials(error, login))) : resolve(),
      ),
  )
}

/** The library asks for a token, and for another if the first is refused; only this one exists. */
function tokenOf({ user, accessToken }: { user: string; accessToken: string }) {
  const refusedToken = Object.assign(new Error('The server refused the access token.'), {
    code: 'EAUTH',
  })
  return {
    getToken: (again: boolean, done: (error: Error | null, token?: string) => void) =>
      again ? done(refusedToken) : done(null, accessToken),
    buildXOAuth2Token: (token: string) =>
      Buffer.from(`user=${user}\u0001auth=Bearer ${token}\u0001\u0001`).toString('base64'),
  }
}

function smtpLoginError(
  error: Error & { code?: string | undefined; response?: string | undefined },
): Error {
  return error.code === 'EAUTH'
    ? new SmtpLoginRefusal((error.response ?? error.message).slice(0, 300), { cause: error })
    : error
}
