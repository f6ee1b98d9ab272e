import { hashPassword } from '../../src/keys/argon.ts'
import { setPasswordHash } from '../../src/identity/people.ts'
import { systemClock } from '../../src/kernel/time/clock.ts'
import { BenchWorkspace } from '../place.ts'

/** Credentials for the measured app. */
export const reader = { email: 'ann@bench.test', password: 'otter lamp seven moss' } as const

const statuses = ['Backlog', 'To do', 'In progress', 'In review'] as const
const priorities = ['urgent', 'high', 'medium', 'low', 'none'] as const
const batch = 100

/** A data directory with `tasks` open tasks in four projects, all visible to the reader. */
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
  await givePasswords(place, ['ann'])
  await place.close()
}

/** People who write in one page; the first one uses the measured browser. */
export const writers = ['ann', 'bob', 'cat', 'dan'] as const

const section = (n: number) =>
  `## Section ${n}\n\nSome **bold** words about valve ${n % 97}, with [a link](https://example.org/${n}) and \`code\`, in a paragraph that goes on for a while, as those of people do.\n\n- [ ] open\n- [x] done by *someone*\n- [[Page ${n % 31}]]\n\n`

/** A data directory with a page of this many characters that all may edit; returns its id and text. */
export async function seedPage(
  dataDir: string,
  chars: number,
): Promise<{ id: string; text: string }> {
  const place = await BenchWorkspace.open(dataDir, writers)
  let text = ''
  for (let n = 0; text.length < chars; n++) text += section(n)
  const page = await place.as('ann', 'create_page', { title: 'Long', body_markdown: text })
  for (const name of writers.slice(1))
    await place.as('ann', 'share_page', {
      page_id: page.id,
      person_id: place.person(name).id,
      role: 'editor',
    })
  await givePasswords(place, writers)
  await place.close()
  return { id: page.id as string, text }
}

async function givePasswords(place: BenchWorkspace, names: readonly string[]): Promise<void> {
  const hash = await hashPassword(reader.password)
  for (const name of names) {
    const row = await place.app.store.read
      .selectFrom('users')
      .selectAll()
      .where('email', '=', `${name}@bench.test`)
      .executeTakeFirstOrThrow()
    await setPasswordHash(place.app.store, systemClock, row, hash)
  }
}
