import assert from 'node:assert/strict'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { serve, workspace, type Served } from '../testing/process.ts'
import { commandsOn, createAnn, type Commands } from './testing.ts'

async function startServer(t: TestContext, dir: string, ...more: string[]): Promise<Served> {
  const server = await serve(dir, ...more)
  t.after(async () => {
    if (server.child.exitCode === null && server.child.signalCode === null)
      await server.end('SIGKILL')
  })
  return server
}

const labelsRequest = (url: string, key: string, body?: unknown) =>
  fetch(`${url}/api/labels`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

interface DoctorReport {
  ok: boolean
  findings: { check: string; state: string; says: string; fix?: string }[]
}

async function doctor(
  commands: Commands,
  ...more: string[]
): Promise<DoctorReport & { code: number; problems: DoctorReport['findings'] }> {
  const { code, stdout } = await commands.run(['doctor', '--json', ...more])
  const report = JSON.parse(stdout) as DoctorReport
  return { ...report, code, problems: report.findings.filter((finding) => finding.state !== 'ok') }
}

test('a running workspace is backed up, lost, restored elsewhere and served again; a key revoked since stays revoked', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  const keys = [
    await commands.json('keys', 'create', '--user', 'ann@acme.test', '--name', 'kept'),
    await commands.json('keys', 'create', '--user', 'ann@acme.test', '--name', 'lost'),
  ]
  const server = await startServer(t, commands.dataDir)
  assert.equal((await labelsRequest(server.url, keys[0].key, { name: 'Kept' })).status, 201)
  const backup = await commands.json('backup')
  assert.equal(backup.files[0].name, 'workspace.db')
  await commands.runOk('keys', 'revoke', keys[1].id)
  assert.equal((await labelsRequest(server.url, keys[0].key, { name: 'After' })).status, 201)
  await server.end('SIGKILL')
  const dir = `${commands.dataDir}-new`
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const full = await workspace(['restore', backup.path, '--data', commands.dataDir])
  assert.deepEqual([full.code, /is not empty/.test(full.stderr)], [1, true])
  const restored = await workspace([
    'restore',
    backup.path,
    '--data',
    dir,
    '--revoked-log',
    join(commands.dataDir, 'revoked.log'),
  ])
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(
    restored.stdout,
    /into .*: \d+ rows in \d+ tables\. Everything was verified\.\n1 key that was live in the backup stays revoked\.\n/,
  )
  assert.ok(restored.stdout.trim().split('\n').length < 12, 'tables are listed on request only')
  const listed = await workspace(['restore', backup.path, '--data', `${dir}/listed`, '--rows'])
  assert.match(listed.stdout, /\n +1 {2}labels\n/)
  rmSync(`${dir}/listed`, { recursive: true })
  const again = await startServer(t, dir)
  const labels = (await (await labelsRequest(again.url, keys[0].key)).json()) as {
    items: { name: string }[]
  }
  assert.deepEqual(
    labels.items.map((item) => item.name),
    ['Kept'],
  )
  assert.equal((await labelsRequest(again.url, keys[1].key)).status, 401)
  const { code } = await workspace(['audit', 'verify', '--data', dir])
  assert.equal(code, 0)
})

test('a restored workspace explains how to keep connected accounts from synchronizing alongside the original', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  const db = new Database(join(commands.dataDir, 'workspace.db'))
  const { id, org_id } = db.prepare('select id, org_id from users').get() as Record<string, string>
  const account = {
    id: 'mac_01m0000000000000000000000a',
    org_id,
    owner_id: id,
    provider: 'imap',
    address: 'ann@mail.test',
    display_name: 'Ann',
    login: 'ann',
    has_mail: 1,
    has_calendar: 0,
    has_drive: 0,
    status: 'active',
    services_json: '{}',
    servers_json: '{}',
    signed_in_at: 1,
    is_default: 1,
    revision: 1,
    created_at: 1,
    updated_at: 1,
    created_by: id,
    created_via: 'web',
  }
  const names = Object.keys(account)
  db.prepare(
    `insert into accounts (${names.join()}) values (${names.map((name) => `@${name}`).join()})`,
  ).run(account)
  db.close()
  const backup = await commands.json('backup')
  const dir = `${commands.dataDir}-beside`
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const { stdout } = await workspace(['restore', backup.path, '--data', dir])
  assert.match(stdout, /1 connected account synchronizes as soon as this one starts/)
  const hint = /workspace (accounts disable) <id> --person <owner> --data (\S+)\. /.exec(stdout)
  assert.equal(hint?.[2], dir)
  const person = ['--person', 'ann@acme.test']
  const run = await workspace(['accounts', 'disable', account.id, ...person, '--data', dir])
  assert.equal(run.code, 0, run.stderr)
  const listed = await workspace(['accounts', 'list', '--data', dir, '--json'])
  assert.equal(JSON.parse(listed.stdout)[0].status, 'disabled')
})

test('a backup to an impossible location or with a nonsensical rotation is refused', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  for (const [args, code] of [
    [['--keep', '0'], 2],
    [['--keep', 'some'], 2],
    [['--to', '/tmp/x.tar.zst', '--keep', '2'], 2],
    [['--to', '/dev/null/folder'], 1],
  ] as const) {
    const ran = await commands.run(['backup', ...args])
    assert.equal(ran.code, code, args.join(' '))
  }
})

test('the doctor finds nothing wrong with a new, backed up workspace, served or not', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  const server = await startServer(t, commands.dataDir)
  await commands.runOk('backup')
  const healthy = await doctor(commands)
  assert.deepEqual(
    [
      healthy.code,
      healthy.ok,
      healthy.problems.filter((item) => !['space', 'runtime', 'clock'].includes(item.check)),
    ],
    [0, true, []],
  )
  assert.match(
    healthy.findings.find((finding) => finding.check === 'server')!.says,
    new RegExp(`answers at ${server.url}`),
  )
  assert.deepEqual(
    new Set(healthy.findings.map((finding) => finding.check)),
    new Set([
      'settings',
      'files',
      'space',
      'runtime',
      'server',
      'oauth',
      'database',
      'search',
      'clock',
      'call log',
      'keys',
      'secrets',
      'backups',
      'jobs',
      'contents',
      'accounts',
      'sign-in',
    ]),
  )
  await server.end()
  assert.equal((await doctor(commands)).code, 0)
})

test('the doctor reports problems with their meaning and the fix', async (t) => {
  const commands = commandsOn(t)
  const file = join(commands.dataDir, 'workspace.db')
  await createAnn(commands)
  const key = await commands.json('keys', 'create', '--user', 'ann@acme.test', '--name', 'k')
  await commands.runOk(
    'call',
    'create_project',
    '--as',
    'ann@acme.test',
    '--name',
    'Engine',
    '--key',
    'ENG',
  )
  await commands.runOk(
    'call',
    'create_task',
    '--as',
    'ann@acme.test',
    '--project-id',
    'ENG',
    '--title',
    'Oil',
  )
  await commands.runOk('audit', 'key')
  await commands.runOk('backup')
  copyFileSync(file, `${file}.whole`)
  const doctorAfter = async (change: () => void | Promise<void>) => {
    copyFileSync(`${file}.whole`, file)
    await change()
    const { problems, code } = await doctor(commands)
    return {
      code,
      says: problems.map((item) => `${item.check}: ${item.says}`).join('\n'),
      fixes: problems.map((item) => item.fix).join('\n'),
    }
  }
  const sql = (text: string) => () => {
    const db = new Database(file)
    db.pragma('foreign_keys = OFF')
    db.exec(text)
    db.close()
  }
  chmodSync(commands.dataDir, 0o755)
  const readableByOthers = await doctorAfter(() => {})
  chmodSync(commands.dataDir, 0o700)
  assert.deepEqual(
    [
      readableByOthers.code,
      /files: Other users of this machine can read/.test(readableByOthers.says),
      readableByOthers.fixes.includes(`chmod 700 ${commands.dataDir}`),
    ],
    [0, true, true],
  )
  const cases: [() => void | Promise<void>, RegExp][] = [
    [
      sql("INSERT INTO team_members VALUES ('x', 'y', 'z', 'lead', 0)"),
      /database: Damaged: 2 rows refer to missing rows/,
    ],
    [
      sql('DROP INDEX calls_by_key'),
      /database: The schema was changed by hand: index calls_by_key/,
    ],
    [
      sql('DROP TRIGGER calls_keep; DELETE FROM calls WHERE seq > 1'),
      /call log: .*audit-heads\.log does not agree .*cut off/,
    ],
    [
      sql("DROP TRIGGER calls_fixed; UPDATE calls SET tool = 'x' WHERE seq = 1"),
      /call log: The log of org_\w+ is broken at entry 1: its columns were changed/,
    ],
    [
      sql('UPDATE search_docs SET rowid_ = rowid_ + 100'),
      /database: The keyword index lacks (\d) of \1 texts/,
    ],
    [sql('UPDATE changes SET at = at + 400 * 86400000'), /clock: .*the clock is or was wrong/],
    [sql('PRAGMA user_version = 99'), /database: It has schema version 99/],
    [() => truncateSync(file, statSync(file).size - 8192), /database: (Damaged|It cannot be)/],
    [
      () =>
        writeFileSync(
          file,
          'no database, but long enough to be taken for the header of one: a hundred bytes are what SQLite reads',
        ),
      /database: It cannot be (opened|read)/,
    ],
    [() => writeFileSync(file, ''), /database: .* is empty, although it was a database/],
  ]
  for (const [change, expected] of cases) {
    const report = await doctorAfter(change)
    assert.equal(
      report.code,
      /Damaged|cannot|empty/.test(expected.source) ? 74 : 1,
      String(expected),
    )
    assert.match(report.says, expected)
    assert.ok(report.fixes.length > 0)
  }
  writeFileSync(
    join(commands.dataDir, 'revoked.log'),
    `${JSON.stringify({ key_id: key.id, lookup: 'x', at: 0 })}\n`,
  )
  assert.match((await doctorAfter(() => {})).says, /keys: 1 revoked key is live/)
  const none = await workspace(['doctor', '--only', 'nonsense', '--data', commands.dataDir])
  assert.deepEqual(
    [none.code, /there is no check nonsense\..* Use one of settings, files, /.test(none.stderr)],
    [2, true],
  )
  process.env.WORKSPACE_PROT = '1'
  t.after(() => delete process.env.WORKSPACE_PROT)
  const unknownSetting = await workspace([
    'doctor',
    '--only',
    'settings',
    '--data',
    commands.dataDir,
  ])
  assert.match(
    unknownSetting.stdout,
    /WARN +settings +WORKSPACE_PROT is not a setting and has no effect\. Was WORKSPACE_PORT meant\?/,
  )
})

test('a server does not start on a damaged database: it exits with 74, names the restore command and leaves the file untouched', async (t) => {
  const commands = commandsOn(t)
  const file = join(commands.dataDir, 'workspace.db')
  await createAnn(commands)
  const whole = readFileSync(file)
  const zeros = (at: number, length: number) =>
    Buffer.concat([whole.subarray(0, at), Buffer.alloc(length), whole.subarray(at + length)])
  const damages: Record<string, Buffer> = {
    'cut short': whole.subarray(0, whole.length - 12_288),
    'cut within a page': whole.subarray(0, 100_001),
    'a page of zeros': zeros(4096 * 20, 4096),
    'a broken header': Buffer.concat([Buffer.alloc(16), whole.subarray(16)]),
    'a broken schema': zeros(100, 600),
    'something else': Buffer.from('this is a text, and no database at all'.repeat(20)),
    empty: Buffer.alloc(0),
  }
  for (const [name, bytes] of Object.entries(damages)) {
    for (const fileName of readdirSync(commands.dataDir))
      if (fileName.startsWith('workspace.db')) rmSync(join(commands.dataDir, fileName))
    writeFileSync(file, bytes, { mode: 0o600 })
    const { code, stderr, stdout } = await commands.run(['serve', '--port', '0'])
    assert.deepEqual([code, stdout], [74, ''], `${name}: ${stderr}`)
    assert.match(
      stderr,
      /workspace\.db is (damaged|empty).*The file was not touched.*workspace restore <backup> --data/,
      name,
    )
    assert.deepEqual(readFileSync(file), bytes, name)
  }
})

test('the call log is exported line by line with everything that its hashes cover, including the export itself', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  await commands.runOk('orgs', 'create', '--name', 'Other')
  await commands.runOk(
    'users',
    'create',
    '--org',
    'Other',
    '--email',
    'eve@other.test',
    '--name',
    'Eve',
    '--admin',
    '--no-link',
  )
  await commands.runOk('call', 'create_label', '--as', 'ann@acme.test', '--name', 'Alpha')
  const all = (await commands.runOk('audit', 'export'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, any>)
  assert.deepEqual(all.map((item) => item.operation).sort(), [
    'create_label',
    'create_user',
    'create_user',
    'export_calls',
    'export_calls',
  ])
  const createEntry = all.find((item) => item.operation === 'create_label')!
  assert.deepEqual(
    [
      createEntry.via,
      createEntry.changed,
      createEntry.details.arguments.name,
      createEntry.hash.length,
    ],
    ['cli', true, 'Alpha', 64],
  )
  const out = join(commands.dataDir, 'acme.ndjson')
  const item = await commands.json('audit', 'export', '--org', 'acme', '--out', out)
  assert.deepEqual([item.entries, statSync(out).mode & 0o777], [4, 0o600])
  assert.equal(
    (await commands.run(['audit', 'export', '--out', out])).code,
    1,
    'an existing file is not overwritten',
  )
  assert.equal((await commands.runOk('audit', 'export', '--to', '2020-01-01')).trim(), '')
  assert.equal((await commands.run(['audit', 'export', '--from', 'soon'])).code, 1)
  assert.equal((await commands.run(['audit', 'verify'])).code, 0)
})

test('entries cut off the end of the log are detected at the command line, locally and from the remote copy', async (t) => {
  const commands = commandsOn(t)
  const file = join(commands.dataDir, 'workspace.db')
  const elsewhere = join(commands.dataDir, 'elsewhere.log')
  await createAnn(commands)
  await commands.runOk('call', 'create_label', '--as', 'ann@acme.test', '--name', 'Alpha')
  const server = await startServer(t, commands.dataDir, '--audit-anchor', elsewhere)
  assert.equal(await server.end(), 0)
  assert.ok(existsSync(elsewhere))
  const key = (await commands.runOk('audit', 'key')).trim()
  assert.match(key, /^[\w-]{43}$/)
  assert.equal(
    (await commands.run(['audit', 'verify', '--anchor', elsewhere, '--key', key])).code,
    0,
  )
  const db = new Database(file)
  db.exec('DROP TRIGGER calls_keep; DELETE FROM calls WHERE seq = (SELECT max(seq) FROM calls)')
  db.close()
  const here = await commands.run(['audit', 'verify'])
  assert.equal(here.code, 1)
  assert.match(
    here.stdout,
    /^Acme: (\d) entr(?:y|ies), whole\.\n.*audit-heads\.log: BROKEN for Acme: the log was cut off: it ended with entry \d at .*, and ends with entry \1 now/,
  )
  rmSync(join(commands.dataDir, 'audit-heads.log'))
  const both = await commands.run(['audit', 'verify'])
  assert.equal(
    both.code,
    1,
    'if entries and heads are both removed, the missing heads are reported',
  )
  assert.match(both.stdout + both.stderr, /no signed heads/)
  const there = await commands.run(['audit', 'verify', '--anchor', elsewhere, '--key', key])
  assert.match(
    there.stdout,
    /elsewhere\.log: BROKEN for Acme: the log was cut off/,
    'the remote copy shows what was removed',
  )
})

test('a log not yet signed by any server verifies, even after its key was printed', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  await commands.runOk('audit', 'key')
  assert.equal((await commands.run(['audit', 'verify'])).code, 0)
})
