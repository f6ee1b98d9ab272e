import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ImapFlow } from 'imapflow'
import { asPerson } from '../../operations/jobs/system.ts'
import type { Row } from '../../records/resource.ts'
import { Queue } from '../../jobs/queue.ts'
import { followChanges } from '../../jobs/scheduler.ts'
import { startWatches } from '../../jobs/watch-runner.ts'
import { closeSessions } from '../../modules/email/sync/sessions.ts'
import { untilTrue, waitLimitMs } from '../limits.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../harness.ts'
import { startMail, type MailDaemon } from '../servers/daemons.ts'
import { openRefusingDoor, type RefusingDoor } from '../servers/refusals.ts'

export interface MailRig {
  workspace: TestWorkspace
  server: MailDaemon
  /** A proxy in front of the server, for accounts connected through it. */
  door: RefusingDoor
  /** A proxy in front of SMTP; undefined if there is none. */
  smtpDoor: RefusingDoor | undefined
  /**
   * Connects a server user's mailbox to a person. `google`: with an access token; `door`: through the proxy that
   * rejects commands.
   */
  connect(
    who: Someone,
    name: string,
    by?: 'tls' | 'start' | 'google' | 'door',
  ): Promise<Row<'accounts'>>
  /** Another mail client, logged in to a mailbox. */
  client(name: string): Promise<ImapFlow>
  /** Adds messages as text to a mailbox. */
  put(
    name: string,
    folder: string,
    messages: readonly (string | Buffer)[],
    flags?: string[],
  ): Promise<void>
  /** Lets time pass without events, including waits for retries. */
  pass(milliseconds: number): void
  /** Syncs until there is nothing left to do. */
  sync(account: Row<'accounts'>): Promise<void>
  /** Runs jobs, ticks and watches like a server, until the returned function is called. */
  live(): () => Promise<void>
  rows<T = Record<string, any>>(sql: string, ...values: unknown[]): T[]
  control(path: string): Promise<unknown>
  close(): Promise<void>
}

/** A workspace with the real clock, beside a real mail server. Flags are those of servers/mail. */
export async function startMailRig(flags: string[] = []): Promise<MailRig> {
  const server = await startMail(flags)
  setDefaultCACertificates([...getCACertificates(), readFileSync(server.ca, 'utf8')])
  const door = await openRefusingDoor({
    host: server.host,
    port: server.imap.tlsPort,
    cert: server.ca,
    key: join(dirname(server.ca), 'key.pem'),
  })
  const smtpDoor =
    server.smtp &&
    (await openRefusingDoor({
      host: server.host,
      port: server.smtp.tlsPort,
      cert: server.ca,
      key: join(dirname(server.ca), 'key.pem'),
    }))
  const ports = [
    door.port,
    ...(smtpDoor ? [smtpDoor.port] : []),
    server.imap.port,
    server.imap.tlsPort,
    ...(server.smtp ? [server.smtp.port, server.smtp.tlsPort] : []),
    new URL(server.oauth.url).port,
  ]
  const { authorize, token, revoke, userinfo } = server.oauth
  const place = (port: number) => ({ host: server.host, port, tls: 'tls' as const })
  const google_endpoints = JSON.stringify({
    authorize,
    token,
    revoke,
    userinfo,
    imap: place(server.imap.tlsPort),
  })
  const secretFile = join(mkdtempSync(join(tmpdir(), 'workspace-google-')), 'secret')
  writeFileSync(secretFile, server.oauth.clientSecret)
  const workspace = await makeWorkspace({
    settings: {
      outbound_allow: ports.map((port) => `${server.host}:${port}`).join(','),
      google_client_id: server.oauth.clientId,
      google_client_secret_file: secretFile,
      google_endpoints,
    },
  })
  let ahead = 0
  workspace.clock.now = () => Date.now() + ahead
  const { app } = workspace
  const userOf = (name: string) => server.users.find((user) => user.user.startsWith(`${name}@`))!
  const client = async (name: string) => {
    const { user, password } = userOf(name)
    const flow = new ImapFlow({
      host: server.host,
      port: server.imap.tlsPort,
      secure: true,
      auth: { user, pass: password },
      logger: false,
      disableAutoIdle: true,
    })
    flow.on('error', () => {})
    await flow.connect()
    return flow
  }
  const living = new Set<() => Promise<void>>()
  return {
    workspace,
    server,
    door,
    smtpDoor,
    client,
    async connect(who, name, by = 'tls') {
      const { address, user, password } = userOf(name)
      const imap =
        by === 'start'
          ? { host: server.host, port: server.imap.port, tls: 'start' as const }
          : place(by === 'door' ? door.port : server.imap.tlsPort)
      const servers = {
        imap,
        ...(server.smtp
          ? { smtp: place(by === 'door' ? smtpDoor!.port : server.smtp.tlsPort) }
          : {}),
      }
      const grant =
        by === 'google'
          ? ((await (await fetch(`${server.control}/issue?user=${user}`)).json()) as {
              refresh_token: string
            })
          : undefined
      const values = {
        owner_id: who.id,
        provider: grant ? 'google' : 'imap',
        address,
        display_name: name,
        login: user,
        has_mail: 1,
        has_calendar: 0,
        has_drive: 0,
        status: 'syncing',
        services_json: '{}',
        servers_json: JSON.stringify(servers),
        signed_in_at: Date.now(),
        is_default: 1,
      } as const
      return asPerson(app, who.id, 'connect', async (ctx) => {
        const row = await ctx.add('accounts', values)
        await ctx.secrets.put(
          'accounts',
          row,
          grant ? 'refresh_token' : 'password',
          grant?.refresh_token ?? password,
        )
        return row
      })
    },
    async put(name, folder, messages, flags = []) {
      const flow = await client(name)
      for (const message of messages)
        await flow.append(
          folder,
          typeof message === 'string' ? Buffer.from(message) : message,
          flags,
        )
      await flow.logout()
    },
    pass(milliseconds) {
      ahead += milliseconds
      workspace.clock.wait(milliseconds)
    },
    async sync(account) {
      const queue = new Queue(app)
      await queue.add(
        'sync_mail',
        { account_id: account.id },
        {
          uniqueKey: account.id,
          asker: { org_id: account.org_id, owner_id: account.owner_id, key_id: null },
        },
      )
      await queue.drain()
    },
    live() {
      const ending = new AbortController()
      const queue = new Queue(app, { poll: 50, isOnlyServer: true })
      queue.start()
      const unfollow = followChanges(app, ending.signal)
      const unwatch = startWatches(app)
      const stop = async () => {
        living.delete(stop)
        ending.abort()
        await Promise.all([unfollow(), unwatch(), queue.stop(2_000)])
      }
      living.add(stop)
      return stop
    },
    rows: (sql, ...values) => app.store.raw.read.prepare(sql).all(...values) as never,
    control: async (path) => (await fetch(`${server.control}/${path}`)).json(),
    async close() {
      await Promise.all([...living].map((stop) => stop())) // of tests that failed
      closeSessions(app.outbound)
      await workspace.close()
      await door.close()
      await smtpDoor?.close()
      await server.close()
      rmSync(dirname(secretFile), { recursive: true, force: true })
    },
  }
}

/** A message as text. */
export function messageText({
  id,
  from = 'Cara <cara@else.test>',
  to = 'alice@example.test',
  subject = 'Hello',
  date = new Date(),
  more = [],
  body = 'Some words.\r\n',
}: {
  id?: string
  from?: string
  to?: string
  subject?: string
  date?: Date
  more?: string[]
  body?: string
} = {}): string {
  return [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${date.toUTCString()}`,
    ...(id === undefined ? [] : [`Message-ID: ${id}`]),
    'MIME-Version: 1.0',
    ...more,
    '',
    body,
  ].join('\r\n')
}

/** Waits for a condition; returns the elapsed milliseconds. `limitMs` is for benchmarks, which may take an hour. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  limitMs = waitLimitMs,
): Promise<number> {
  const startedAt = performance.now()
  await untilTrue(holds, () => holds.toString(), limitMs)
  return performance.now() - startedAt
}
