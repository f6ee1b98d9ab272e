// A workspace in a browser with a real mail server: Dovecot and Postfix, with connected mailboxes.

import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ImapFlow } from 'imapflow'
import { closeSessions } from '../modules/email/sync/sessions.ts'
import { asPerson } from '../operations/jobs/system.ts'
import type { Someone } from '../testing/harness.ts'
import { startMail } from '../testing/servers/daemons.ts'
import { runBackground } from './background.ts'
import { openWeb, type Web } from './setup.ts'

export interface WebWithMail {
  web: Web
  /** Adds messages as text to a mailbox of the server. */
  put(user: string, folder: string, messages: readonly string[]): Promise<void>
  /** The subjects in a folder of the server, as seen by another mail client. */
  subjects(user: string, folder: string): Promise<string[]>
  /** Connects the mailbox of a server user, `alice` or `bob`, to a person. */
  connect(person: Someone, user: string): Promise<void>
  close(): Promise<void>
}

/** Opens a workspace with a mail server; jobs and watches run as on a server. */
export async function openWebWithMail(): Promise<WebWithMail> {
  const server = await startMail()
  setDefaultCACertificates([...getCACertificates(), readFileSync(server.ca, 'utf8')])
  const endpoint = (port: number) => ({ host: server.host, port, tls: 'tls' as const })
  const ports = [server.imap.tlsPort, server.smtp.tlsPort]
  const web = await openWeb(undefined, {
    limits: false,
    outbound_allow: ports.map((port) => `${server.host}:${port}`).join(','),
  })
  const { app } = web
  const stopBackground = runBackground(web)
  const userOf = (name: string) => {
    const serverUser = server.users.find(({ user }) => user.startsWith(`${name}@`))
    if (!serverUser) throw new Error(`The mail server has no user ${name}.`)
    return serverUser
  }
  const withMailbox = async <T>(
    name: string,
    action: (flow: ImapFlow) => Promise<T>,
  ): Promise<T> => {
    const { user, password } = userOf(name)
    const flow = new ImapFlow({
      host: server.host,
      port: server.imap.tlsPort,
      secure: true,
      auth: { user, pass: password },
      logger: false,
      disableAutoIdle: true,
    })
    await flow.connect()
    try {
      return await action(flow)
    } finally {
      await flow.logout()
    }
  }
  return {
    web,
    put: (name, folder, messages) =>
      withMailbox(name, async (flow) => {
        for (const message of messages) await flow.append(folder, Buffer.from(message))
      }),
    subjects: (name, folder) =>
      withMailbox(name, async (flow) => {
        await flow.mailboxOpen(folder)
        const messages = await flow.fetchAll('1:*', { envelope: true })
        return messages.map(({ envelope }) => envelope?.subject ?? '')
      }),
    connect: (person, name) => {
      const { address, user, password } = userOf(name)
      const values = {
        owner_id: person.id,
        provider: 'imap',
        address,
        display_name: name,
        login: user,
        has_mail: 1,
        has_calendar: 0,
        has_drive: 0,
        status: 'syncing',
        services_json: '{}',
        servers_json: JSON.stringify({
          imap: endpoint(server.imap.tlsPort),
          smtp: endpoint(server.smtp.tlsPort),
        }),
        signed_in_at: web.clock.now(),
        is_default: 1,
      } as const
      return asPerson(app, person.id, 'connect', async (ctx) => {
        const row = await ctx.add('accounts', values)
        await ctx.secrets.put('accounts', row, 'password', password)
      })
    },
    async close() {
      await stopBackground()
      closeSessions(app.outbound)
      await web.close()
      await server.close()
    },
  }
}
