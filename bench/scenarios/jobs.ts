import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { jobs as jobList, type Call } from './job-list.ts'
import type { Table } from '../report.ts'
import type { Bench } from '../server.ts'

interface Sum {
  calls: number
  characters: number
  tokens: number
}

/**
 * Measures how much an assistant reads in everyday jobs over MCP: calls, and characters and tokens of their answers.
 * Uses the demo data. A refused call ends the run: the jobs are the same each time.
 */
export async function jobs(bench: Bench): Promise<{ of: string; tables: Table[] }> {
  const data = bench.dir('jobs')
  const demo = bench.script<{ people: { email: string; key: string }[] }>([
    'bin/workspace',
    'demo',
    '--keys',
    '--json',
    '--data',
    data,
  ])
  const key = demo.people.find((person) => person.email.startsWith('mia@'))!.key
  const server = await bench.serve(data)
  const client = new Client(
    { name: 'bench', version: '1.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }),
  )
  const byTool = new Map<string, Sum>()
  const byJob: [string, Sum][] = []
  for (const [name, work] of Object.entries(jobList)) {
    const sum = { calls: 0, characters: 0, tokens: 0 }
    const call: Call = async (tool, args = {}) => {
      const result = await client.callTool({ name: tool, arguments: args })
      const texts = (result.content as { text: string }[]).map((part) => part.text)
      if (result.isError) throw new Error(`${name}: ${tool} was refused: ${texts.join('\n')}`)
      add(sum, texts)
      add(
        byTool.get(tool) ?? byTool.set(tool, { calls: 0, characters: 0, tokens: 0 }).get(tool)!,
        texts,
      )
      return JSON.parse(texts[0]!)
    }
    await work(call)
    byJob.push([name, sum])
  }
  await client.close()
  await bench.stop(server)
  bench.forget('jobs')
  const total = { calls: 0, characters: 0, tokens: 0 }
  for (const [, sum] of byJob)
    for (const name of ['calls', 'characters', 'tokens'] as const) total[name] += sum[name]
  const largest = [...byTool].sort(([, a], [, b]) => b.characters - a.characters)
  const head = ['calls', 'characters', 'tokens']
  return {
    of: 'the data of `workspace demo`',
    tables: [
      {
        head: ['job', ...head],
        rows: [...byJob, ['in all', total] as const].map(([name, sum]) => rowOf(name, sum)),
      },
      {
        head: ['tool', ...head],
        rows: largest.slice(0, 30).map(([name, sum]) => rowOf(`\`${name}\``, sum)),
      },
    ],
  }
}

function add(sum: Sum, texts: readonly string[]): void {
  sum.calls++
  for (const text of texts) {
    sum.characters += text.length
    sum.tokens += countTokens(text)
  }
}

function rowOf(name: string, { calls, characters, tokens }: Sum): (string | number)[] {
  return [name, calls, characters, tokens]
}
