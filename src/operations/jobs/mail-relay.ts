import { readFileSync } from 'node:fs'
import type { Outside } from './job.ts'
import { readMailServer } from '../../config/mail-settings.ts'

/** A connection to this instance's mail server, in the form used by connectors; undefined if it has none. */
export async function instanceRelay({
  settings,
  outbound,
  signal,
}: Pick<Outside, 'settings' | 'outbound' | 'signal'>) {
  const server = readMailServer(settings.mail_server)
  if (!server) return undefined
  const { host, port, tls, user } = server
  const auth =
    user === undefined
      ? undefined
      : {
          user,
          pass:
            settings.mail_password_file === ''
              ? ''
              : readFileSync(settings.mail_password_file, 'utf8').trim(),
        }
  const socket = await outbound.connect(host, port, {
    tls: tls === 'always',
    purpose: 'mail',
    signal,
  })
  return { socket, host, tls: tls === 'always' ? ('secured' as const) : tls, auth }
}
