import {
  startSmtpTls,
  syntheticGreeting,
  DeliveryFailure,
  sendBytes,
  type Relay,
  type SmtpDelivery,
  type DeliveryResult,
} from '../../../connectors/smtp/smtp.ts'
import type { Outside } from '../../../operations/jobs/job.ts'
import type { Row } from '../../../records/resource.ts'
import { serversOf, signInto, type Credentials } from '../../accounts/access.ts'
import type { QueuedEmail } from '../outbox/access.ts'
import { MailConnection } from '../sync/sessions.ts'

/**
 * Host name that we send to mail servers. Mail programs do not reveal their machine's name, so no header discloses a
 * sender's location.
 */
const clientHostName = '[127.0.0.1]'
const second = 1000

/** Sends a message by the server of an account. @throws DeliveryFailure; NeedsSignIn; Unreachable */
export async function deliverToServer(
  outside: Outside,
  account: Row<'accounts'>,
  sending: SmtpDelivery,
): Promise<DeliveryResult> {
  const credentials = await signInto(outside, account, { server: 'smtp' })
  try {
    return await sendBytes(await relayOf(outside, account, credentials), sending, outside.signal)
  } catch (error) {
    if (!(error instanceof DeliveryFailure && error.isSignIn && 'accessToken' in credentials))
      throw error
    const freshCredentials = await signInto(outside, account, {
      server: 'smtp',
      refused: credentials.accessToken,
    })
    return sendBytes(await relayOf(outside, account, freshCredentials), sending, outside.signal)
  }
}

async function relayOf(
  { settings, outbound, signal }: Outside,
  account: Row<'accounts'>,
  credentials: Credentials,
): Promise<Relay> {
  const server = serversOf(settings, account).smtp
  if (!server) throw new DeliveryFailure(true, new Error('the account has no outgoing mail server'))
  const { host, port, tls } = server
  const auth =
    'password' in credentials ? { user: credentials.user, pass: credentials.password } : credentials
  const socket = await outbound.connect(host, port, { tls: tls === 'tls', purpose: 'mail', signal })
  if (tls === 'tls') return { socket, host, tls: 'secured', auth, name: clientHostName }
  try {
    await startSmtpTls(
      socket,
      clientHostName,
      AbortSignal.any([signal, AbortSignal.timeout(20 * second)]),
    )
  } catch (error) {
    socket.destroy()
    throw new DeliveryFailure(false, error)
  }
  const secured = await outbound.startTls(host, port, socket, { signal })
  secured.unshift(Buffer.from(syntheticGreeting))
  return { socket: secured, host, tls: 'secured', auth, name: clientHostName }
}

/** Whether the server has a message with an unknown delivery outcome: in its Sent folder, or delivered to the sender. */
export async function isInFolders(
  outside: Outside,
  { email, account }: QueuedEmail,
  folders: readonly { path: string }[],
): Promise<boolean> {
  const line = new MailConnection(outside, account!)
  try {
    const session = await line.session()
    for (const { path } of folders) {
      await session.open(path)
      if ((await session.findMessage(email.message_id)).length > 0) return true
    }
    line.release()
    return false
  } catch (error) {
    line.discard()
    throw error
  }
}
