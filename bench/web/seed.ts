import { hashPassword } from '../../src/keys/argon.ts'
import { setPasswordHash } from '../../src/identity/people.ts'
import { systemClock } from '../../src/kernel/time/clock.ts'
import { BenchWorkspace } from '../place.ts'

/** Who signs in to the app that is measured. */
export const reader = { email: 'ann@bench.test', password: 'otter lamp seven moss' } as const

const statuses = ['Backlog', 'To do', 'In progress', 'In review'] as const
const priorities = ['urgent', 'high', 'medium', 'low', 'none'] as const
const batch = 100

/** A data directory with so many open tasks in four projects, of which their reader sees all. */
export async function seedWeb(dataDir: string, tasks: number): Promise<void> {
  const place = await BenchWorkspace.open(dataDir, ['ann', 'bob'])
  const people = ['ann', 'bob'].map((name) => place.person(name).id)
  const projects = ['ONE', 'TWO', 'SIX', 'TEN']
  for (const key of projects)
    await place.as('ann', 'create_project', { name: `Project ${key}`, key, member_ids: people })
  for (let start = 0; start < tasks; start += batch)
    await place.as('ann', 'bulk_create_tasks', {
      project_id: projects[(start / batch) % projects.length],
      tasks: Array.from({ length: Math.min(batch, tasks - start) }, (_, i) => ({
        title: `Task ${start + i} about valve ${(start + i) % 97} of pump ${(start + i) % 31}`,
        status: statuses[i % statuses.length],
        priority: priorities[i % priorities.length],
        assignee_ids: [people[i % people.length]],
      })),
    })
  const row = await place.app.store.read
    .selectFrom('users')
    .selectAll()
    .where('email', '=', reader.email)
    .executeTakeFirstOrThrow()
  await setPasswordHash(place.app.store, systemClock, row, await hashPassword(reader.password))
  await place.close()
}
