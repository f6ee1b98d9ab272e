#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { flags, freePorts, HOST, must, Stage, waitPort } from './stage.mjs'

const opts = flags(
  `
postgres.mjs - a real PostgreSQL for tests

  apt-get install -y --no-install-recommends postgresql

One role with a password (SCRAM), a superuser; UTF-8, collation C, sessions in
UTC. Nothing is flushed to disk: it is not for tests about losing power.

  --bin PATH        folder of its programs (initdb, postgres)
  --password TEXT   default app-secret

Ready line: host, port, user, password, url (without a database). A line
"stop" or "start" on standard input does so, and is repeated once it is done.
`,
  { bin: { type: 'string' }, password: { type: 'string', default: 'app-secret' } },
)

const stage = new Stage('postgres', opts)
const at = (p) => join(stage.dir, p)
const [port] = await freePorts(1)
const user = 'postgres'

mkdirSync(at('data'), { mode: 0o700 })
mkdirSync(at('sock'))
stage.file('password', opts.password, 0o600)
must('chown', [user, at('data'), at('sock'), at('password')])
must(
  'setpriv',
  ['--reuid', user, '--regid', user, '--init-groups', join(opts.bin, 'initdb')].concat(
    ['-D', at('data'), '-U', user, '-A', 'scram-sha-256', '--pwfile', at('password')],
    ['-E', 'UTF8', '--locale=C', '--no-sync'],
  ),
  { cwd: stage.dir },
)
const settings = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'timezone=UTC']
let server
await start()
stage.undo(() => server.kill('SIGINT')) // SIGTERM waits for those who are connected

async function start() {
  server = stage.start(
    'postgres',
    join(opts.bin, 'postgres'),
    ['-D', at('data'), '-p', String(port), '-k', at('sock'), '-h', HOST].concat(
      settings.flatMap((setting) => ['-c', setting]),
    ),
    { user },
  )
  await waitPort(port, server)
  for (let i = 0; !answers(); i++) {
    if (i > 200) throw new Error('the server takes no logins')
    await new Promise((ok) => setTimeout(ok, 50))
  }
}

/** Ends the sessions of all clients; committed data stays. */
async function stop() {
  server.meant = true
  const exit = new Promise((ok) => server.once('exit', ok))
  server.kill('SIGINT')
  await exit
}

/** The port accepts connections before the server accepts logins. */
function answers() {
  const ready = join(opts.bin, 'pg_isready')
  return spawnSync(ready, ['-q', '-h', HOST, '-p', String(port)]).status === 0
}

const url = `postgres://${user}:${encodeURIComponent(opts.password)}@${HOST}:${port}`
stage.ready({ host: HOST, port, user, password: opts.password, url })
createInterface({ input: process.stdin }).on('line', async (line) => {
  await { stop, start }[line]()
  process.stdout.write(`${line}\n`)
})
