import { statSync } from 'node:fs'
import { join } from 'node:path'
import { generateNKeysBetween } from 'fractional-indexing'
import { systemClock } from '../../src/kernel/time/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { fire, fireWhile, lasting, rssOf, times, type Figures } from './load.ts'
import { BenchWorkspace } from '../place.ts'
import type { Table } from '../report.ts'
import { taskOf } from '../seed.ts'
import { settled, started, startTime, type Bench, type Running } from '../server.ts'
import { restShot } from '../requests.ts'
import type { Sizes } from '../sizes.ts'

const projects = 20
const names = ['ann', ...Array.from({ length: 19 }, (_, i) => `person${i + 1}`)]
const statuses = ['To do', 'In progress', 'Done']
const day = 86_400_000
/** Tasks inserted per transaction. */
const batchSize = 5_000

/** Calls to measure at every size. */
const measuredCalls: readonly (readonly [
  tool: string,
  args: (i: number, size: number) => Record<string, unknown>,
  note: string,
])[] = [
  ['list_tasks', () => ({ limit: 25 }), 'the newest 25'],
  [
    'list_tasks',
    (i) => ({ project_id: `PR${2 * (i % 10)}`, status_category: ['todo'], limit: 25 }),
    '25 to do of a project',
  ],
  [
    'list_tasks',
    () => ({ assignee: 'me', status_category: ['todo', 'in_progress'], limit: 25 }),
    '25 own open ones',
  ],
  ['list_tasks', () => ({ assignee: 'me', sort: 'due_at', limit: 25 }), '25 own ones by due date'],
  [
    'count_tasks',
    (i) => ({ project_id: `PR${2 * (i % 10)}`, group_by: 'status_category' }),
    'of a project',
  ],
  [
    'get_task',
    (i, size) => ({ task_id: `PR${2 * (i % 10)}-${1 + ((i * 37) % (size / projects))}` }),
    'by its key',
  ],
  ['create_task', (i) => ({ project_id: 'NEW', title: `New task ${i}` }), ''],
  [
    'update_task',
    (i, size) => ({
      task_id: `PR${2 * (i % 10)}-${1 + ((i * 37) % (size / projects))}`,
      priority: i % 2 === 0 ? 'high' : 'low',
    }),
    '',
  ],
  ['search_tasks', (i) => ({ query: `number ${(i * 40) % 1000}` }), 'two words, one of them rare'],
  ['search_tasks', () => ({ query: 'benchmark' }), 'a word of every task'],
  ['search_workspace', (i) => ({ query: `number ${(i * 40) % 1000}` }), ''],
  ['get_me', () => ({}), ''],
  ['get_my_agenda', () => ({}), ''],
]

/** The same calls with ten, a hundred and a thousand times as many tasks. */
export async function growth(bench: Bench, sizes: Sizes): Promise<{ of: string; tables: Table[] }> {
  const columns: Column[] = []
  for (const size of sizes.growth) {
    const startedAt = performance.now()
    const key = await plant(bench.dir('growth'), size)
    console.log(
      `${size.toLocaleString('en')} tasks after ${Math.round((performance.now() - startedAt) / 1000)} s`,
    )
    columns.push(await ask(bench, bench.dir('growth'), key, size, sizes.caseMs))
    bench.forget('growth')
  }
  const [least, most] = [columns[0]!, columns.at(-1)!]
  const ratio = (valueOf: (column: Column) => number) => (valueOf(most) / valueOf(least)).toFixed(1)
  const heads = columns.map((column) => column.size.toLocaleString('en'))
  const times = `${heads.at(-1)} : ${heads[0]}`
  const calls = measuredCalls.map(([tool, , note], i) => [
    `${tool}${note ? `, ${note}` : ''}`,
    ...columns.map((column) => column.calls[i]!.p50_ms),
    most.calls[i]!.cpu_us,
    ratio((column) => column.calls[i]!.cpu_us),
  ])
  const figureRow = (what: string, figure: (column: Column) => number) => [
    what,
    ...columns.map(figure),
    ratio(figure),
  ]
  const whole = [
    figureRow('file, MB', (column) => column.megabytes),
    figureRow('start to first answer, ms', (column) => column.start),
    figureRow('the same after a kill, ms', (column) => column.startAfterKill),
    figureRow('RSS after these calls, MiB', (column) => column.rss),
  ]
  return {
    of: `20 people, ${projects} projects, of which the caller sees half; one caller over REST; without vectors`,
    tables: [
      {
        head: [
          'p50 ms with so many tasks',
          ...heads,
          `CPU µs with ${heads.at(-1)}`,
          `CPU ${times}`,
        ],
        rows: calls,
      },
      { head: ['with so many tasks', ...heads, times], rows: whole },
    ],
  }
}

interface Column {
  size: number
  calls: Figures[]
  megabytes: number
  start: number
  /** Milliseconds to start after a kill, when the whole file is read first to check it for damage. */
  startAfterKill: number
  rss: number
}

async function ask(
  bench: Bench,
  dataDir: string,
  key: string,
  size: number,
  milliseconds: number,
): Promise<Column> {
  const serve = () => bench.serve(dataDir)
  const list = (server: Running) => fire(server.url, restShot(key, 'list_tasks', { limit: 25 }))
  const start = await startTime(bench, serve, list, 3)
  const server = await serve()
  await settled(server)
  const calls: Figures[] = []
  for (const [tool, args] of measuredCalls) {
    let i = 0
    const next = () => restShot(key, tool, args(i++, size))
    await fireWhile(server.url, server.pid, next, 1, times(10))
    calls.push(await fireWhile(server.url, server.pid, next, 1, lasting(milliseconds)))
  }
  const rss = rssOf(server.pid)
  await bench.stop(server, 'SIGKILL')
  const [last, startAfterKill] = await started(serve, list)
  await bench.stop(last)
  return {
    size,
    calls,
    megabytes: statSync(join(dataDir, 'workspace.db')).size / 1e6,
    start,
    startAfterKill,
    rss,
  }
}

interface Template {
  row: Record<string, unknown>
  project: string
  key: string
}

/**
 * Tasks as create_task leaves them, inserted in bulk: rows, people and search index text. The logs of calls and
 * changes do not grow. Returns a key of ann.
 */
async function plant(dataDir: string, size: number): Promise<string> {
  const place = await BenchWorkspace.open(dataDir, names, true)
  const { app, org } = place
  const { write } = app.store.raw
  await place.as('ann', 'create_project', { name: 'What comes while it is measured', key: 'NEW' })
  const templates = await plantTemplates(place)
  const columns = Object.keys(templates[0]!.row)
  const put = write.prepare(
    `insert into tasks (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  const involve = write.prepare(
    'insert into task_people (task_id, person_id, role, org_id, added_at) values (?, ?, ?, ?, ?)',
  )
  const positions = generateNKeysBetween('a9', null, Math.ceil(size / projects))
  for (let plantedCount = templates.length; plantedCount < size; plantedCount += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, size - plantedCount) }, (_, i) =>
      taskLike(templates, plantedCount + i, positions),
    )
    await app.store.writer.run(async () => {
      for (const [i, { row }] of batch.entries()) {
        const assignee = (plantedCount + i) % 40 === 0 ? place.person('ann').id : row.created_by
        put.run(columns.map((column) => row[column]))
        involve.run(row.id, row.created_by, 'watcher', org, row.created_at)
        involve.run(row.id, assignee, 'assignee', org, row.created_at)
      }
      await app.search.addAll(
        app.store.write,
        org,
        batch.map((item) => item.text),
      )
      write.prepare('delete from search_todo').run() // vectors of a million texts would be a measurement of their own
    })
  }
  await app.store.writer.run(() =>
    Promise.resolve(
      write
        .prepare("update projects set next_task_number = ? where key <> 'NEW'")
        .run(1 + Math.ceil(size / projects)),
    ),
  )
  const key = await place.key('ann')
  await place.close()
  return key
}

/** Creates one task per project and status through the operation. */
async function plantTemplates(place: BenchWorkspace): Promise<Template[]> {
  const templates: Template[] = []
  for (let i = 0; i < projects; i++) {
    const key = `PR${i}`
    const lead = names[1 + (i % 19)]!
    const { id: project } = await place.as(lead, 'create_project', {
      name: `Project ${i}`,
      key,
      member_ids: i % 2 === 0 ? [place.person('ann').id] : [],
    })
    for (const status of statuses) {
      const { id } = await place.as(lead, 'create_task', { project_id: key, ...taskOf(i), status })
      templates.push({
        row: place.app.store.raw.read.prepare('select * from tasks where id = ?').get(id) as Record<
          string,
          unknown
        >,
        project,
        key,
      })
    }
  }
  return templates
}

/** The n-th task, older than the one after it: its row and its text. */
function taskLike(templates: readonly Template[], n: number, positions: readonly string[]) {
  const number = Math.floor(n / projects)
  const { row, project, key } =
    templates[(n % projects) * statuses.length + (number % statuses.length)]!
  const { title, description_markdown } = taskOf(n)
  const now = systemClock.now()
  const at = now - 1_000_000 + n
  const id = newId<'tasks'>('tsk', at)
  return {
    row: {
      ...row,
      id,
      title,
      description_markdown,
      key: `${key}-${1 + number}`,
      position: positions[number],
      due_at: now + (1 + (n % 100)) * day,
      created_at: at,
      updated_at: at,
    } as Record<string, unknown>,
    text: {
      ref: id,
      title,
      body: description_markdown,
      container: project,
      part: 'item' as const,
      item_id: id,
      item_type: 'task',
      at,
    },
  }
}
