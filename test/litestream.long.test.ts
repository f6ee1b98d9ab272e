import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { scratch, serve, workspace, workspaceJson, type Served } from '../src/testing/process.ts'
import { untilTrue } from '../src/testing/limits.ts'

// The published Litestream configuration, run by Litestream beside an active server, and a restore from its copy.

/** .ci/run installs it beside the dependencies. */
const litestream = fileURLToPath(
  new URL(
    `../node_modules/@flydotio/litestream-${process.platform}-${process.arch}/litestream`,
    import.meta.url,
  ),
)
const noLitestream = existsSync(litestream)
  ? false
  : '@flydotio/litestream-linux-x64 is not installed, see .ci/run'
const config = fileURLToPath(new URL('../packaging/litestream.yml', import.meta.url))

interface Key {
  id: string
  key: string
}

function count(path: string, sql: string): number {
  const db = new Database(path, { readonly: true })
  try {
    return db.prepare(sql).pluck().get() as number
  } finally {
    db.close()
  }
}

/** Starts Litestream, whose activity is on standard output. */
function replicate(
  t: TestContext,
  env: NodeJS.ProcessEnv,
): { output: () => string; end: () => Promise<void> } {
  const child: ChildProcess = spawn(litestream, ['replicate', '-config', config], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (part: Buffer) => (text += part.toString()))
  const exit = once(child, 'exit')
  const end = async () => {
    child.kill('SIGTERM')
    await exit
  }
  t.after(end)
  return { output: () => text, end }
}

async function write({ url }: Served, key: string, from: number, many: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const item = async (at: number) => {
    const answer = await fetch(`${url}/api/tasks`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ project_id: 'ENG', title: `Task ${at}` }),
    })
    assert.equal(answer.status, 201, await answer.text())
  }
  for (let at = from; at < from + many; at += 8)
    await Promise.all(Array.from({ length: 8 }, (_, i) => item(at + i)))
}

test('Litestream replicates every change of an active server, never restarts its copy, and the copy restores as a workspace', {
  skip: noLitestream,
}, async (t) => {
  const { dir: place, remove } = scratch()
  t.after(remove)
  const [data, copied, settled] = ['data', 'copied', 'settled'].map((name) =>
    join(place, name),
  ) as [string, string, string]
  const path = join(data, 'workspace.db')
  const env = {
    ...process.env,
    WORKSPACE_DATA: data,
    REPLICA_URL: `file://${join(place, 'replica')}`,
  }
  await workspaceJson('orgs', 'create', '--name', 'Acme', '--data', data)
  await workspaceJson(
    'users',
    'create',
    '--email',
    'ann@acme.test',
    '--name',
    'Ann',
    '--admin',
    '--data',
    data,
  )
  const newKey = (name: string) =>
    workspaceJson<Key>('keys', 'create', '--user', 'ann@acme.test', '--name', name, '--data', data)
  const [{ key }, lost] = [await newKey('laptop'), await newKey('lost')]
  const server = await serve(data)
  t.after(() => server.end('SIGKILL'))
  const project = await fetch(`${server.url}/api/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Engine', key: 'ENG' }),
  })
  assert.equal(project.status, 201, await project.text())

  const first = replicate(t, env)
  await untilTrue(() => /snapshot written/.test(first.output()), first.output)
  await write(server, key, 0, 800) // over 16 MB: the server brings its log back into the database meanwhile, and so does Litestream
  const healthy = await workspace(['doctor', '--data', data, '--only', 'database'])
  assert.equal(healthy.code, 0, healthy.stdout)
  await first.end()
  assert.equal(first.output().match(/new generation/g)?.length, 1, first.output())

  // The machine is lost. The database is restored from the replica, the files beside it from elsewhere.
  await workspaceJson('keys', 'revoke', lost.id, '--data', data)
  await server.end('SIGKILL')
  const restored = spawnSync(
    litestream,
    ['restore', '-config', config, '-o', join(copied, 'workspace.db'), path],
    { env, encoding: 'utf8' },
  )
  assert.equal(restored.status, 0, restored.stderr)
  for (const name of ['revoked.log', 'audit-heads.log', 'audit.pub'])
    if (existsSync(join(data, name))) copyFileSync(join(data, name), join(copied, name))
  assert.equal(count(join(copied, 'workspace.db'), 'SELECT count(*) FROM tasks'), 800)

  const archive = join(place, 'copied.tar.zst')
  await workspaceJson('backup', '--to', archive, '--data', copied)
  const back = await workspaceJson<{ kept_revoked: string[] }>(
    'restore',
    archive,
    '--data',
    settled,
    '--revoked-log',
    join(data, 'revoked.log'),
  )
  assert.deepEqual(back.kept_revoked, [lost.id])
  const again = await serve(settled)
  t.after(() => again.end('SIGKILL'))
  const ask = (name: string) =>
    fetch(`${again.url}/api/tasks?limit=1`, { headers: { authorization: `Bearer ${name}` } })
  assert.equal((await ask(key)).status, 200)
  assert.equal((await ask(lost.key)).status, 401)
  const doctor = await workspace(['doctor', '--data', settled, '--json'])
  assert.deepEqual(
    JSON.parse(doctor.stdout).findings.filter(
      (finding: { state: string }) => finding.state === 'fail',
    ),
    [],
  )
  assert.equal(await again.end(), 0)
})
