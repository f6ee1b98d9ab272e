import { many, BenchWorkspace } from './place.ts'

/** A data directory with one person, four projects and `tasks` tasks, created through operations. Returns a key. */
export async function seed(dataDir: string, tasks: number): Promise<string> {
  const place = await BenchWorkspace.open(dataDir, ['ann'], true)
  for (let i = 0; i < 4; i++)
    await place.as('ann', 'create_project', { name: `Benchmark ${i}`, key: `BEN${i}` })
  await many(tasks, (i) =>
    place.as('ann', 'create_task', { project_id: `BEN${i % 4}`, ...taskOf(i) }),
  )
  const key = await place.key('ann')
  await place.close()
  return key
}

/** A realistic task; a third each are to do, in progress and done. */
export function taskOf(i: number) {
  return {
    title: `Task number ${i} of the benchmark`,
    description_markdown: `What is to be done in number ${i}: measure, write down, compare with yesterday's figures, and tell ${names[i % names.length]}.`,
    status: statuses[i % statuses.length],
    priority: 'medium',
    assignee_ids: ['me'],
    due_at: new Date(Date.now() + (i % 100) * 86_400_000).toISOString(),
  }
}

const statuses = ['To do', 'In progress', 'Done']
const names = ['Ann', 'Bob', 'Carol', 'the team', 'everybody']
