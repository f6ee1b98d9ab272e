import { statSync } from 'node:fs'
import { join } from 'node:path'
import { generateNKeysBetween } from 'fractional-indexing'
import { systemClock } from '../src/core/clock.ts'
import { newId } from '../src/core/ids.ts'
import { fire, fireWhile, lasting, median, rssOf, times, type Figures } from './load.ts'
import { Place } from './place.ts'
import type { Table } from './report.ts'
import { taskOf } from './seed.ts'
import { startTimes, type Bench } from './server.ts'
import { restShot } from './shots.ts'
import type { Sizes } from './sizes.ts'

const projects = 20
const names = ['ann', ...Array.from({ length: 19 }, (_, i) => `person${i + 1}`)]
const statuses = ['To do', 'In progress', 'Done']
const day = 86_400_000
/** Tasks that one transaction puts in. */
const atOnce = 5_000

/** What is asked at every size. */
const asked: readonly (readonly [tool: string, args: (i: number, size: number) => Record<string, unknown>, note: string])[] = [
  ['list_tasks', () => ({ limit: 25 }), 'the newest 25'],
  ['list_tasks', i => ({ project_id: `PR${2 * (i % 10)}`, status_category: ['todo'], limit: 25 }), '25 to do of a project'],
  ['list_tasks', () => ({ assignee: 'me', status_category: ['todo', 'in_progress'], limit: 25 }), '25 own open ones'],
  ['list_tasks', () => ({ assignee: 'me', sort: 'due_at', limit: 25 }), '25 own ones by due date'],
  ['count_tasks', i => ({ project_id: `PR${2 * (i % 10)}`, group_by: 'status_category' }), 'of a project'],
  ['get_task', (i, size) => ({ task_id: `PR${2 * (i % 10)}-${1 + ((i * 37) % (size / projects))}` }), 'by its key'],
  ['create_task', i => ({ project_id: 'NEW', title: `New task ${i}` }), ''],
  ['update_task', (i, size) => ({ task_id: `PR${2 * (i % 10)}-${1 + ((i * 37) % (size / projects))}`, priority: i % 2 === 0 ? 'high' : 'low' }), ''],
  ['search_tasks', i => ({ query: `number ${(i * 40) % 1000}` }), 'two words, one of them rare'],
  ['search_tasks', () => ({ query: 'benchmark' }), 'a word of every task'],
  ['search_workspace', i => ({ query: `number ${(i * 40) % 1000}` }), ''],
  ['get_me', () => ({}), ''],
  ['get_my_agenda', () => ({}), ''],
]

/** The same calls with ten, a hundred and a thousand times as many tasks. */
export async function growth(bench: Bench, sizes: Sizes): Promise<{ of: string; tables: Table[] }> {
  const dataDir = bench.dir('growth')
  const planter = await Planter.open(dataDir)
  const columns: Column[] = []
  for (const size of sizes.growth) {
    const begun = performance.now()
    await planter.growTo(size)
    console.log(`${size.toLocaleString('en')} tasks after ${Math.round((performance.now() - begun) / 1000)} s`)
    columns.push(await ask(bench, dataDir, planter.key, size, sizes.caseMs))
  }
  await planter.close()
  bench.forget('growth')
  const ratio = (of: (column: Column) => number) => `${(of(columns.at(-1)!) / of(columns[0]!)).toFixed(1)}`
  const heads = columns.map(one => one.size.toLocaleString('en'))
  const calls = asked.map(([tool, , note], i) => [`${tool}${note ? `, ${note}` : ''}`, ...columns.map(one => one.calls[i]!.p50_ms), ratio(one => one.calls[i]!.cpu_us)])
  const of = (what: string, figure: (column: Column) => number) => [what, ...columns.map(figure), ratio(figure)]
  return {
    of: `20 people, ${projects} projects, of which the caller sees half; one caller over REST; without vectors`,
    tables: [
      { head: ['p50 ms with so many tasks', ...heads, `CPU ${heads.at(-1)} : ${heads[0]}`], rows: calls },
      { head: ['with so many tasks', ...heads, `${heads.at(-1)} : ${heads[0]}`], rows: [of('file, MB', one => one.megabytes), of('start to first answer, ms', one => one.start), of('RSS after these calls, MiB', one => one.rss)] },
    ],
  }
}

interface Column {
  size: number
  calls: Figures[]
  megabytes: number
  start: number
  rss: number
}

async function ask(bench: Bench, dataDir: string, key: string, size: number, milliseconds: number): Promise<Column> {
  const start = median(await startTimes(bench, () => bench.serve(dataDir), server => fire(server.url, restShot(key, 'list_tasks', { limit: 25 })), 3))
  const server = await bench.serve(dataDir)
  const calls: Figures[] = []
  for (const [tool, args] of asked) {
    let i = 0
    const next = () => restShot(key, tool, args(i++, size))
    await fireWhile(server.url, server.pid, next, 1, times(10))
    calls.push(await fireWhile(server.url, server.pid, next, 1, lasting(milliseconds)))
  }
  const rss = rssOf(server.pid)
  await bench.stop(server)
  return { size, calls, megabytes: statSync(join(dataDir, 'workspace.db')).size / 1e6, start, rss }
}

interface Template {
  row: Record<string, unknown>
  project: string
  key: string
}

/** Tasks as create_task leaves them, put in many at a time: their rows, their people and their text in the index of search. The log of calls and changes is not made longer. */
class Planter {
  readonly key: string
  readonly #place: Place
  readonly #templates: readonly Template[]
  readonly #columns: readonly string[]
  readonly #positions: string[]
  #made = projects * statuses.length

  private constructor(place: Place, key: string, templates: readonly Template[], positions: string[]) {
    this.#place = place
    this.key = key
    this.#templates = templates
    this.#columns = Object.keys(templates[0]!.row)
    this.#positions = positions
  }

  static async open(dataDir: string): Promise<Planter> {
    const place = await Place.open(dataDir, names, true)
    const { read } = place.app.store.raw
    await place.as('ann', 'create_project', { name: 'What comes while it is measured', key: 'NEW' })
    const templates: Template[] = []
    for (let i = 0; i < projects; i++) {
      const key = `PR${i}`
      const lead = names[1 + (i % 19)]!
      const { id: project } = await place.as(lead, 'create_project', { name: `Project ${i}`, key, member_ids: i % 2 === 0 ? [place.person('ann').id] : [] })
      for (const status of statuses) {
        const { id } = await place.as(lead, 'create_task', { project_id: key, ...taskOf(i), status })
        templates.push({ row: read.prepare('select * from tasks where id = ?').get(id) as Record<string, unknown>, project, key })
      }
    }
    return new Planter(place, await place.key('ann'), templates, [])
  }

  async growTo(size: number): Promise<void> {
    const { app, org } = this.#place
    this.#positions.push(...generateNKeysBetween(this.#positions.at(-1) ?? 'a9', null, Math.ceil(size / projects) - this.#positions.length))
    while (this.#made < size) {
      const some = Array.from({ length: Math.min(atOnce, size - this.#made) }, (_, i) => this.#task(this.#made + i))
      await app.store.writer.run(async () => {
        const { write } = app.store.raw
        const put = write.prepare(`insert into tasks (${this.#columns.join(', ')}) values (${this.#columns.map(() => '?').join(', ')})`)
        const involve = write.prepare('insert into task_people (task_id, person_id, role, org_id, added_at) values (?, ?, ?, ?, ?)')
        for (const { row, assignee } of some) {
          put.run(this.#columns.map(column => row[column]))
          involve.run(row.id, row.created_by, 'watcher', org, row.created_at)
          involve.run(row.id, assignee, 'assignee', org, row.created_at)
        }
        await app.search.addAll(app.store.write, org, some.map(one => one.text))
        write.prepare("update projects set next_task_number = ? where key <> 'NEW'").run(1 + Math.ceil((this.#made + some.length) / projects))
        write.prepare('delete from search_todo').run() // vectors of a million texts would be a measurement of their own
      })
      this.#made += some.length
    }
    app.store.raw.write.pragma('wal_checkpoint(TRUNCATE)') // the file alone tells the size
  }

  /** The n-th task, older than the one after it. */
  #task(n: number) {
    const number = Math.floor(n / projects)
    const { row, project, key } = this.#templates[(n % projects) * statuses.length + (number % statuses.length)]!
    const { title, description_markdown } = taskOf(n)
    const at = systemClock.now() - 1_000_000 + n
    const id = newId<'tasks'>('tsk', at)
    const assignee = n % 40 === 0 ? this.#place.person('ann').id : row.created_by
    return {
      row: { ...row, id, title, description_markdown, key: `${key}-${1 + number}`, position: this.#positions[number], due_at: systemClock.now() + (1 + (n % 100)) * day, created_at: at, updated_at: at } as Record<string, unknown>,
      assignee,
      text: { ref: id, title, body: description_markdown, container: project, part: 'item' as const, item_id: id, item_type: 'task', at },
    }
  }

  close(): Promise<void> {
    return this.#place.close()
  }
}
