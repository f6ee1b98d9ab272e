import { randomUUID } from 'node:crypto'
import { call } from '../src/core/call.ts'
import { systemClock } from '../src/core/clock.ts'
import { lineLog } from '../src/core/log.ts'
import { readSettings } from '../src/core/settings.ts'
import { openApp } from '../src/core/start.ts'
import type { Actor } from '../src/core/actor.ts'
import { issueKey } from '../src/keys/issue.ts'
import { addOrganization, addPerson } from '../src/keys/people.ts'
import { modules } from '../src/modules/index.ts'

/** A data directory with one person, four projects and so many tasks, made through the operations. Returns a key. */
export async function seed(dataDir: string, tasks: number): Promise<string> {
  const settings = { ...readSettings({}, {}), data: dataDir }
  const app = openApp({ settings, clock: systemClock, modules, log: lineLog(line => process.stderr.write(line)) })
  const org = await addOrganization(app.store, systemClock, { name: 'Benchmark' })
  const id = await addPerson(app.store, systemClock, { org, email: 'ann@bench.test', name: 'Ann Example', role: 'admin' })
  const actor: Actor = { id, org_id: org, email: 'ann@bench.test', display_name: 'Ann Example', role: 'admin', timezone: 'UTC', via: 'api', key: undefined }
  const as = async (tool: string, args: Record<string, unknown>) =>
    (await call(app, actor, { tool, args, transport: 'rest', requestId: randomUUID(), route: 'seed', ip: '127.0.0.1' })).value as { id: string }
  for (let i = 0; i < 4; i++) await as('create_project', { name: `Benchmark ${i}`, key: `BEN${i}` })
  const one = (i: number) =>
    as('create_task', {
      project_id: `BEN${i % 4}`,
      title: `Task number ${i} of the benchmark`,
      description_markdown: `What is to be done in number ${i}: measure, write down, compare with yesterday's figures, and tell ${names[i % names.length]}.`,
      status: i % 3 === 0 ? 'To do' : i % 3 === 1 ? 'In progress' : 'Done',
      priority: 'medium',
      assignee_ids: ['me'],
      due_at: new Date(Date.now() + (i % 100) * 86_400_000).toISOString(),
    })
  for (let i = 0; i < tasks; i += 64) await Promise.all(Array.from({ length: Math.min(64, tasks - i) }, (_, j) => one(i + j)))
  const { key } = await issueKey(app.store, systemClock, { owner: id, name: 'benchmark', via: 'cli' })
  await app.store.close()
  return key
}

const names = ['Ann', 'Bob', 'Carol', 'the team', 'everybody']
