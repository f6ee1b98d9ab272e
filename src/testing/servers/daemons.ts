// Real servers on loopback, each for one test file: Dovecot with Postfix and an OAuth provider, Radicale, and PostgreSQL.

import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface Daemon {
  /** Ends the servers and removes their data. */
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
  /** Takes /issue?user=…, /expire, /fail?error=…, /calls, /kill, /stop, /start. */
  control: string
  /** Path of the certificate to trust (localhost and 127.0.0.1). */
  ca: string
  users: { address: string; user: string; password: string }[]
  /** The folder of its data: mailboxes are home/<user>/Maildir in it. */
  dir: string
}

export interface DavDaemon extends Daemon {
  host: string
  port: number
  /** With a slash at the end. */
  url: string
  users: { user: string; password: string; calendar: string; addressbook: string }[]
}

export interface PostgresDaemon extends Daemon {
  /** URL of the superuser, without a database. */
  url: string
  /** Stops the server in an orderly way: its clients are cut off. */
  stop(): Promise<void>
  /** Starts it again with the same data. */
  start(): Promise<void>
}

const isRoot = process.getuid?.() === 0

/** Why there can be no mail server here; undefined where there can. */
export const noMail = needs('/usr/sbin/dovecot', '/usr/lib/postfix/sbin/master', '/usr/bin/openssl')
/** Why there can be no CalDAV server here; undefined where there can. */
export const noDav = needs('/usr/bin/radicale')
/** The programs of the newest PostgreSQL that is installed. */
const postgresPrograms = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
/** Why there can be no PostgreSQL here; undefined where there can. */
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
