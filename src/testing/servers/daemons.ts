// Real servers on loopback, each for one test file: Dovecot with Postfix and an OAuth provider, Radicale, and PostgreSQL.

import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface Daemon {
  /** Stops the servers and removes their data. */
  close(): Promise<void>
}

export interface MailDaemon extends Daemon {
  host: string
  imap: { port: number; tlsPort: number }
  smtp: { port: number; tlsPort: number }
  lmtp: { port: number }
  oauth: {
    url: string
    clientId: string
    clientSecret: string
    authorize: string
    token: string
    revoke: string
    introspect: string
    userinfo: string
  }
  /** Accepts /issue?user=…, /expire, /fail?error=…, /calls, /kill, /stop, /start. */
  control: string
  /** Path of the certificate to trust (localhost and 127.0.0.1). */
  ca: string
  users: { address: string; user: string; password: string }[]
  /** Its data folder: mailboxes are home/<user>/Maildir in it. */
  dir: string
}

export interface DavDaemon extends Daemon {
  host: string
  port: number
  /** With a trailing slash. */
  url: string
  users: { user: string; password: string; calendar: string; addressbook: string }[]
}

export interface PostgresDaemon extends Daemon {
  /** URL of the superuser, without a database. */
  url: string
  /** Stops the server gracefully; clients are disconnected. */
  stop(): Promise<void>
  /** Restarts it with the same data. */
  start(): Promise<void>
}

const isRoot = process.getuid?.() === 0

/** Why no mail server can run here; undefined if it can. */
export const noMail = needs('/usr/sbin/dovecot', '/usr/lib/postfix/sbin/master', '/usr/bin/openssl')
/** Why no CalDAV server can run here; undefined if it can. */
export const noDav = needs('/usr/bin/radicale')
/** Programs of the newest installed PostgreSQL. */
const postgresPrograms = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
/** Why no PostgreSQL can run here; undefined if it can. */
export const noPostgres = needs(`${postgresPrograms ?? '/usr/lib/postgresql/*/bin'}/postgres`)

function needs(...paths: string[]): string | undefined {
  const missing = paths.filter((path) => !existsSync(path))
  if (missing.length > 0) return `needs ${missing.join(', ')}, which this machine does not have`
  return isRoot ? undefined : 'needs root, to start servers as their own users'
}

/** Flags: --users name:password,… --domain --no-smtp --mechs --hide "CONDSTORE QRESYNC" --token-ttl */
export function startMail(flags: string[] = []): Promise<MailDaemon> {
  return start<MailDaemon>('mail.mjs', flags)
}

/** Flags: --users name:password,… --bare --introspect URL */
export function startRadicale(flags: string[] = []): Promise<DavDaemon> {
  return start<DavDaemon>('radicale.mjs', flags)
}

export function startPostgres(): Promise<PostgresDaemon> {
  return start<PostgresDaemon>('postgres.mjs', ['--bin', postgresPrograms!])
}

async function start<D extends Daemon>(script: string, flags: string[]): Promise<D> {
  const child = spawn(process.execPath, [new URL(script, import.meta.url).pathname, ...flags], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((go) => child.once('exit', go))
  const lines = createInterface({ input: child.stdout })
  const line = () =>
    new Promise<string>((go, no) => {
      lines.once('line', go)
      void ended.then((code) => no(new Error(`${script} ended with ${code}`)))
    })
  const ready = await line()
  const order = async (what: string) => {
    child.stdin.write(`${what}\n`)
    await line()
  }
  return {
    ...(JSON.parse(ready) as D),
    stop: () => order('stop'),
    start: () => order('start'),
    close: async () => {
      child.kill()
      await ended
    },
  }
}
