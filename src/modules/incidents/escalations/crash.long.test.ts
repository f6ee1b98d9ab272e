import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { scratch, serve, workspaceJson, type Served } from '../../../testing/process.ts'
import { untilTrue } from '../../../testing/limits.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? 3)
const perRound = 5
const levels = 3

/** Makes all running pages and waiting jobs due now. */
function makeDue(db: Database.Database): void {
  const now = Date.now()
  db.prepare("UPDATE escalations SET next_at = ? WHERE status = 'paging' AND next_at > ?").run(
    now,
    now,
  )
  db.prepare(
    "UPDATE jobs SET run_at = ? WHERE kind = 'step_escalation' AND state = 'waiting' AND run_at > ?",
  ).run(now, now)
}

test(`a server killed ${rounds} times while incidents are declared and levels are paged still pages each level of every incident once, in order`, async (t) => {
  const { dir, remove } = scratch()
  let server: Served | undefined
  t.after(async () => {
    if (server && server.child.exitCode === null && server.child.signalCode === null)
      await server.end('SIGKILL')
    rmSync(`${dir}.key`, { force: true })
    remove()
  })
  await workspaceJson('orgs', 'create', '--name', 'Crash', '--data', dir)
  for (const name of ['Ann', 'L1', 'L2', 'L3'])
    await workspaceJson(
      'users',
      'create',
      '--email',
      `${name.toLowerCase()}@crash.test`,
      '--name',
      name,
      ...(name === 'Ann' ? ['--admin'] : []),
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
  const start = () => serve(dir, '--limits', 'no')
  const post = (path: string, body: object) =>
    fetch(`${server!.url}/api/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const declared: string[] = []
  const declare = async () => {
    try {
      const answer = await post('incidents', {
        title: 'Down',
        severity: 'sev2',
        service_ids: ['Crash'],
      })
      const incidentAnswer = (await answer.json()) as { id: string }
      assert.equal(answer.status, 201, JSON.stringify(incidentAnswer))
      declared.push(incidentAnswer.id)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error // else the server was killed
    }
  }
  for (let round = 0; round < rounds; round++) {
    server = await start()
    if (round === 0) {
      const schedule = (await (
        await post('on-call-schedules', {
          name: 'Crash',
          timezone: 'UTC',
          escalation_minutes: 1,
          layers: Array.from({ length: levels }, (_, i) => ({ people: [`l${i + 1}@crash.test`] })),
        })
      ).json()) as { id: string }
      assert.equal(
        (await post('services', { name: 'Crash', schedule_id: schedule.id })).status,
        201,
      )
    }
    const db = new Database(`${dir}/workspace.db`)
    const pageCount = () => db.prepare('SELECT count(*) FROM escalations').pluck().get() as number
    const before = pageCount()
    const declarations = Array.from({ length: perRound }, declare)
    await untilTrue(() => {
      makeDue(db)
      return pageCount() >= before + perRound + 2
    }, 'further levels are paged')
    makeDue(db)
    db.close()
    await pause(7 * round)
    await server.end('SIGKILL')
    await Promise.all(declarations)
  }
  server = await start()
  const db = new Database(`${dir}/workspace.db`)
  const runningPageCount = () =>
    db.prepare("SELECT count(*) FROM escalations WHERE status = 'paging'").pluck().get() as number
  await untilTrue(
    () => {
      makeDue(db)
      return runningPageCount() === 0
    },
    () => `${runningPageCount()} are left`,
  )
  const incidents = db.prepare('SELECT id FROM incidents').pluck().all() as string[]
  assert.ok(
    declared.length >= rounds && declared.every((id) => incidents.includes(id)),
    'all confirmed incidents are stored',
  )
  const targets = db
    .prepare(
      'SELECT incident_id, level, escalations.status, display_name FROM escalations JOIN escalation_targets ON escalation_id = escalations.id JOIN users ON users.id = person_id ORDER BY incident_id, escalation_targets.paged_at, level',
    )
    .all() as { incident_id: string; level: number; status: string; display_name: string }[]
  const notices = db
    .prepare(
      "SELECT item_id, display_name, text FROM notifications JOIN users ON users.id = person_id WHERE kind = 'incident' AND text LIKE 'You were paged%'",
    )
    .all() as { item_id: string; display_name: string; text: string }[]
  const entryCount = db
    .prepare("SELECT count(*) FROM timeline_entries WHERE kind = 'escalation' AND incident_id = ?")
    .pluck()
  for (const id of incidents) {
    const ownTargets = targets.filter((target) => target.incident_id === id)
    assert.deepEqual(
      ownTargets.map((item) => [item.level, item.display_name, item.status]),
      Array.from({ length: levels }, (_, i) => [i + 1, `L${i + 1}`, 'exhausted']),
      'each level once, in order',
    )
    assert.deepEqual(
      notices
        .filter((notice) => notice.item_id === id)
        .map((notice) => notice.display_name)
        .sort(),
      ['L1', 'L2', 'L3'],
      'each person was notified once',
    )
    assert.equal(entryCount.get(id), levels + 1)
  }
  db.close()
  assert.equal(await server.end(), 0)
})
