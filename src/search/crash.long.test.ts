import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { databasePath } from '../db/open.ts'
import { scratch, serve, workspace, workspaceJson } from '../testing/process.ts'
import { checkEmbeddings } from './check.ts'
import { passagesOf } from './worker/passages.ts'
import { untilTrue } from '../testing/limits.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? 4)
const tasks = 400

const words =
  'outage server valve turbine invoice bread holiday contract parser gateway token budget canary'.split(
    ' ',
  )
const body = (seed: number) =>
  Array.from(
    { length: 150 },
    (_, i) =>
      `${words[(seed * 7 + i * (1 + (seed % 5))) % words.length]}${i % 12 === 11 ? '.' : ''}`,
  ).join(' ')

/** Vectors of outdated texts, whose passages would now be cut elsewhere. */
function countMisplaced(db: Database.Database): number {
  const docs = db.prepare('select rowid_, body from search_docs').all() as {
    rowid_: number
    body: string
  }[]
  const passageQuery = db.prepare(
    "select start, length from search_vectors where doc = ? and space = (select id from search_spaces where state = 'active' and provider = 'embedded') order by n",
  )
  return docs.filter(
    ({ rowid_, body: text }) =>
      JSON.stringify(passageQuery.all(rowid_)) !== JSON.stringify(passagesOf(text)),
  ).length
}

async function untilSettled(db: Database.Database, readOutput: () => string): Promise<void> {
  const spaces = db
    .prepare("select count(*) from search_spaces where state <> 'active' or fingerprint = ''")
    .pluck()
  await untilTrue(
    () => checkEmbeddings(db).due === 0 && spaces.get() === 0,
    () =>
      `search did not settle: ${JSON.stringify([checkEmbeddings(db), db.prepare('select * from search_spaces').all()])} ${readOutput()}`,
  )
}

test(`after kill -9 during text changes and index rebuilds, ${rounds} rounds: words and vectors match the texts`, async (t) => {
  const { dir, remove } = scratch()
  t.after(remove)
  const org = await workspaceJson('orgs', 'create', '--name', 'Crash', '--data', dir)
  await workspaceJson(
    'users',
    'create',
    '--org',
    org.id,
    '--email',
    'ann@crash.test',
    '--name',
    'Ann',
    '--admin',
    '--data',
    dir,
  )
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@crash.test',
    '--name',
    'crash',
    '--data',
    dir,
  )
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const ids: string[] = []
  for (let round = 0; round < rounds; round++) {
    const server = await serve(dir)
    const send = async (method: string, path: string, value: unknown) =>
      (
        await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(value) })
      ).json() as Promise<{ id: string }>
    if (round === 0) {
      await send('POST', '/api/projects', { name: 'Crash', key: 'CRASH' })
      for (let i = 0; i < tasks; i += 20)
        ids.push(
          ...(
            await Promise.all(
              Array.from({ length: 20 }, (_, n) =>
                send('POST', '/api/tasks', {
                  project_id: 'CRASH',
                  title: `Task ${i + n}`,
                  description_markdown: body(i + n),
                }),
              ),
            )
          ).map((row) => row.id),
        )
    }
    const edits = Array.from({ length: 4 }, async (_, worker) => {
      for (let i = worker; ; i += 4)
        await send('PATCH', `/api/tasks/${ids[(i * 13 + round) % ids.length]}`, {
          description_markdown: body(i + round * 31),
        })
    }).map((lane) => lane.catch(() => {})) // until the server is killed
    const rebuild = await workspace(['search', 'rebuild', '--data', dir])
    assert.equal(rebuild.code, 0, rebuild.stderr)
    await pause(60 + 170 * round)
    await server.end('SIGKILL')
    await Promise.all(edits)
  }
  const server = await serve(dir)
  t.after(() => server.child.kill('SIGKILL'))
  const db = new Database(databasePath(dir), { readonly: true })
  t.after(() => db.close())
  await untilSettled(db, () => server.output())
  const { missing, orphans, texts, hasSpace } = checkEmbeddings(db)
  assert.deepEqual([missing, orphans, texts >= tasks, hasSpace], [0, 0, true, true])
  assert.equal(countMisplaced(db), 0, 'the vectors are those of the current texts')
  assert.equal(db.prepare('select count(*) from search_fts_docsize').pluck().get(), texts)
  assert.equal(db.prepare('select count(distinct space) from search_vectors').pluck().get(), 1)
  assert.equal(await server.end(), 0)
  const doctor = await workspaceJson('doctor', '--only', 'search', '--data', dir)
  assert.deepEqual(
    doctor.findings.map((finding: { state: string }) => finding.state),
    ['ok'],
  )
})
