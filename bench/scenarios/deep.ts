// Measures one module at a time with a large amount of data.
import { chatShots, seedChat } from './chat.ts'
import { load } from './load.ts'
import type { Table } from '../report.ts'
import type { Bench } from '../server.ts'
import type { Sizes } from '../sizes.ts'

type Measured = { of: string; tables: Table[] }

interface Figure {
  work: string
  ms: number
  goal: string
}

const number = (value: number) => value.toLocaleString('en')

function tableOf(name: string, figures: readonly Figure[]): Table {
  return { head: [name, 'ms', 'goal'], rows: figures.map(({ work, ms, goal }) => [work, ms, goal]) }
}

async function chat(bench: Bench, { messages }: Sizes): Promise<Measured> {
  const dataDir = bench.dir('chat')
  const key = await seedChat(dataDir, messages)
  const server = await bench.serve(dataDir)
  const rows = []
  for (const [name, shot] of Object.entries(chatShots(key))) {
    await load(server.url, server.pid, shot, 1, 20)
    const { cpu_us, p50_ms, p99_ms } = await load(server.url, server.pid, shot, 1, 200)
    rows.push([name, cpu_us / 1000, p50_ms, p99_ms, '< 20'])
  }
  await bench.stop(server)
  bench.forget('chat')
  return {
    of: `${number(messages)} messages in 500 channels`,
    tables: [{ head: ['chat', 'CPU ms', 'p50 ms', 'p99 ms', 'goal'], rows }],
  }
}

async function pages(bench: Bench, sizes: Sizes): Promise<Measured> {
  const figures = bench.script<Figure[]>([
    'bench/scenarios/pages.ts',
    bench.dir('pages'),
    String(sizes.pages),
  ])
  bench.forget('pages')
  return {
    of: `a page of 10 MB and a tree of ${number(sizes.pages)}, in the process`,
    tables: [tableOf('pages', figures)],
  }
}

async function knowledge(bench: Bench, { entities }: Sizes): Promise<Measured> {
  const figures = bench.script<Figure[]>([
    'bench/scenarios/knowledge.ts',
    bench.dir('knowledge'),
    String(entities),
  ])
  bench.forget('knowledge')
  return {
    of: `${number(entities)} entities and ${number(entities * 10)} relations, of which one entity has a tenth; in the process`,
    tables: [tableOf('knowledge', figures)],
  }
}

interface Searched {
  passages: number
  figures: Record<string, number>
  milliseconds: Record<string, { p50: number; p95: number }>
}

async function search(bench: Bench, { texts }: Sizes): Promise<Measured> {
  const { passages, figures, milliseconds } = bench.script<Searched>([
    'bench/scenarios/search.ts',
    bench.dir('search'),
    String(texts),
  ])
  bench.forget('search')
  return {
    of: `${number(texts)} texts in ${number(passages)} passages, of which the caller sees a tenth; in the process`,
    tables: [
      {
        head: ['search', 'p50 ms', 'p95 ms'],
        rows: Object.entries(milliseconds).map(([work, { p50, p95 }]) => [work, p50, p95]),
      },
      { head: ['search', 'figure'], rows: Object.entries(figures) },
    ],
  }
}

interface MailFigure {
  work: string
  value: number
  unit: string
  goal: string
}

async function mail(bench: Bench, { mails }: Sizes): Promise<Measured | undefined> {
  const figures = bench.script<MailFigure[]>(['bench/scenarios/mail.ts', String(mails)])
  if (figures.length === 0) return undefined
  return {
    of: `first sync of ${number(mails)} messages from a Dovecot on the same machine`,
    tables: [
      {
        head: ['mail', 'figure', 'unit', 'goal'],
        rows: figures.map(({ work, value, unit, goal }) => [work, value, unit, goal]),
      },
    ],
  }
}

export const deep = { chat, pages, knowledge, search, mail }
