// Search over 10,000, 100,000 or more texts, a tenth of them visible to the caller. `node bench/scenarios/search.ts
// <data directory> [texts]` prints JSON: how fast texts are embedded, server time per search, memory of the vectors,
// and event loop delay meanwhile.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock } from '../../src/kernel/time/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { parseQuery } from '../../src/search/query.ts'
import { BenchWorkspace } from '../place.ts'

const [dataDir = '', given = '10000'] = process.argv.slice(2)
const texts = Number(given)
const projects = 10
const searches = 60

const place = await BenchWorkspace.open(dataDir, ['ann', 'bob'])
const { app, org } = place
const { write, read } = app.store.raw
const as = (who: string, tool: string, args: Record<string, unknown>) => place.as(who, tool, args)

/** Fixed seed: the same numbers on every run. */
let seed = 42
const random = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

/** Words with the frequencies of real texts (Zipf): a few common, most rare. */
const syllables =
  'ba ko ti ru me sal vor den lin gas pre tor mal fen dri qua sto nim per hul'.split(' ')
const vocabulary = [
  'server',
  'outage',
  'budget',
  'contract',
  'valve',
  'release',
  'customer',
  'meeting',
  'invoice',
  'plan',
  ...Array.from(
    { length: 30_000 },
    (_, i) =>
      syllables[i % 20]! +
      syllables[Math.floor(i / 20) % 20]! +
      syllables[Math.floor(i / 400) % 20]! +
      (i >= 8000 ? syllables[Math.floor(i / 8000)]! : ''),
  ),
]
const word = () => vocabulary[Math.floor(Math.exp(random() * Math.log(vocabulary.length))) - 1]!
const sentence = (length: number) => Array.from({ length }, word).join(' ')

const started = performance.now()
const templates: { row: Record<string, unknown>; key: string }[] = []
for (let i = 0; i < projects; i++) {
  const key = `P${String.fromCharCode(65 + i)}`
  await as('ann', 'create_project', {
    name: `Project ${i}`,
    key,
    ...(i === 0 ? { member_ids: [place.person('bob').id] } : {}),
  })
  const { id } = await as('ann', 'create_task', { project_id: key, title: 'Template' })
  templates.push({
    row: read.prepare('select * from tasks where id = ?').get(id) as Record<string, unknown>,
    key,
  })
}
const columns = Object.keys(templates[0]!.row)
const insert = `insert into tasks (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
for (let i = 0; i < texts; i += 2000) {
  await app.store.writer.run(async () => {
    const put = write.prepare(insert)
    const lines = Array.from({ length: Math.min(2000, texts - i) }, (_, n) => {
      const { row, key } = templates[(i + n) % projects]!
      const [id, title, body, at] = [
        newId<'tasks'>('tsk', systemClock.now()),
        sentence(6),
        sentence(70),
        systemClock.now() - (i + n) * 1000,
      ]
      put.run(
        columns.map(
          (column) =>
            ({
              id,
              title,
              description_markdown: body,
              key: `${key}-${i + n + 10}`,
              updated_at: at,
              created_at: at,
            })[column] ?? row[column],
        ),
      )
      return {
        ref: id,
        title,
        body,
        container: row.project_id as string,
        part: 'item' as const,
        item_id: id,
        item_type: 'task',
        at,
      }
    })
    await app.search.addAll(app.store.write, org, lines)
  })
}
const planted = performance.now()

const loop = monitorEventLoopDelay({ resolution: 5 })
loop.enable()
await app.searchEngine.maintain()
const tended = performance.now()
const stoodStill = loop.max / 1e6
const state = await app.searchEngine.vectorStatus()

loop.reset()
const percentile = (took: number[], share: number) =>
  Math.round(took.sort((a, b) => a - b)[Math.floor((took.length - 1) * share)]! * 10) / 10
const scope = { containers: [templates[0]!.row.project_id as string], types: ['task'] }
const took = {
  search_workspace: [] as number[],
  'words alone': [] as number[],
  'meaning alone': [] as number[],
  both: [] as number[],
  'the order': [] as number[],
}
for (let i = -5; i < searches; i++) {
  const query =
    i % 2 === 0 ? sentence(3) : `${sentence(2)} ${vocabulary[10 + Math.floor(random() * 3000)]!}`
  const timed = async (what: keyof typeof took, work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    if (i >= 0) took[what].push(performance.now() - start)
  }
  await timed('search_workspace', () => as('bob', 'search_workspace', { query, limit: 20 }))
  await timed('words alone', () =>
    app.searchEngine.search({ query: parseQuery(query), mode: 'keyword', scope }),
  )
  await timed('meaning alone', () =>
    app.searchEngine.search({ query: parseQuery(query), mode: 'semantic', scope }),
  )
  const looked = await app.searchEngine.search({ query: parseQuery(query), mode: 'hybrid', scope })
  await timed('the order', () =>
    app.searchEngine.rank(looked.id, {
      allowed: looked.candidates.map((candidate) => candidate.id),
      links: [],
      limit: 150,
    }),
  )
  await timed('both', () =>
    app.searchEngine.search({ query: parseQuery(query), mode: 'hybrid', scope }),
  )
}

const figures = {
  'texts planted a second': Math.round(texts / ((planted - started) / 1000)),
  'passages understood a second, with the space made anew': Math.round(
    state.passages / ((tended - planted) / 1000),
  ),
  'event loop stood still while they were, ms': Math.round(stoodStill),
  'event loop stood still while searching, ms': Math.round(loop.max / 1e6),
  'megabytes of vectors': Math.round(state.bytes / 1e6),
  'megabytes of the process': Math.round(process.memoryUsage().rss / 1e6),
}
const milliseconds = Object.fromEntries(
  Object.entries(took).map(([what, some]) => [
    what,
    { p50: percentile(some, 0.5), p95: percentile(some, 0.95) },
  ]),
)
process.stdout.write(
  `${JSON.stringify({ passages: state.passages, figures, milliseconds }, null, 2)}\n`,
)
await place.close()
