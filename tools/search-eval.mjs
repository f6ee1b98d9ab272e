// `npm run search-eval`: search quality compared with SQLite's full-text index alone (bm25), on public collections and
// on synthetic workspaces. `npm run search-eval -- musique` measures one; `-- --collections <folder>` those in a
// folder, each with docs.jsonl ({id, title, text, scope?, links?}), queries.jsonl ({id, text, scope?}) and qrels.tsv
// (query, document, grade); `-- --encoder` adds the built-in encoder, which takes 25 ms a passage. Exits with 1 if
// search is worse than words by more than 0.005 on any of them.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { score } from '../bench/search/score.ts'
import { workspace } from '../bench/search/workspace.ts'
import { close, index, search } from './search-adapter.mjs'

const collectionsDir = fileURLToPath(new URL('../bench/search/collections/', import.meta.url))
/** Loss against keyword search that is tolerated on one collection. */
const tolerated = 0.005

const lines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')

function fromFolder(folder) {
  const qrels = {}
  for (const line of lines(join(folder, 'qrels.tsv'))) {
    const [query, doc, grade] = line.split('\t')
    qrels[query] = { ...qrels[query], [doc]: Number(grade) }
  }
  return {
    docs: lines(join(folder, 'docs.jsonl')).map((line) => JSON.parse(line)),
    queries: lines(join(folder, 'queries.jsonl')).map((line) => JSON.parse(line)),
    qrels,
  }
}

/** Name and loader. */
function collections(folder) {
  if (folder)
    return readdirSync(folder)
      .filter((name) => existsSync(join(folder, name, 'qrels.tsv')))
      .sort()
      .map((name) => [name, () => fromFolder(join(folder, name))])
  const packed = readdirSync(collectionsDir)
    .filter((name) => name.endsWith('.json.br'))
    .sort()
    .map((name) => [
      name.replace('.json.br', ''),
      () => JSON.parse(brotliDecompressSync(readFileSync(join(collectionsDir, name))).toString()),
    ])
  return [
    ...packed,
    ['workspace-dev', () => workspace('dev')],
    ['workspace-judge', () => workspace('judge')],
  ]
}

/** Search modes measured: words alone; words and meaning; links in addition; and on request the encoder's vectors. */
const ways = ['words', 'meaning', 'all']
if (process.argv.includes('--encoder')) ways.push('encoder')

async function measured({ docs, queries, qrels }) {
  await index(docs)
  const figures = {}
  for (const way of ways) {
    const from = performance.now()
    const results = []
    for (const query of queries) results.push(await search(query, 100, way))
    figures[way] = {
      ...score(queries, qrels, results),
      ms: (performance.now() - from) / queries.length,
    }
  }
  return figures
}

async function main() {
  const cliArgs = process.argv.slice(2).filter((arg) => arg !== '--encoder')
  const at = cliArgs.indexOf('--collections')
  const folder = at < 0 ? undefined : cliArgs.splice(at, 2)[1]
  const chosen = collections(folder).filter(
    ([name]) => cliArgs.length === 0 || cliArgs.includes(name),
  )
  if (chosen.length === 0)
    throw new Error(
      `There is no such collection; there is ${collections(folder)
        .map(([name]) => name)
        .join(', ')}.`,
    )
  const all = []
  console.log(`${'collection'.padEnd(18)}${'way'.padEnd(9)}nDCG@10  Recall@100  MRR@10  ms/query`)
  for (const [name, load] of chosen) {
    const figures = await measured(load())
    all.push({ name, ...figures })
    for (const way of ways) {
      const { ndcg, recall, mrr, ms } = figures[way]
      console.log(
        `${(way === ways[0] ? name : '').padEnd(18)}${way.padEnd(9)}${ndcg.toFixed(4).padStart(7)}${recall.toFixed(4).padStart(12)}${mrr.toFixed(4).padStart(8)}${ms.toFixed(1).padStart(10)}`,
      )
    }
  }
  await close()
  const mean = (way) => all.reduce((sum, set) => sum + set[way].ndcg, 0) / all.length
  console.log(`mean nDCG@10: ${ways.map((way) => `${way} ${mean(way).toFixed(4)}`).join(', ')}`)
  let isWorse = false
  for (const { name, ...figures } of all)
    for (const way of ['all', 'encoder'].filter((way) => figures[way] !== undefined)) {
      const loss = figures.words.ndcg - figures[way].ndcg
      if (loss <= tolerated) continue
      isWorse = true
      console.log(`${name}: ${way} is ${loss.toFixed(4)} worse than words alone.`)
    }
  process.exitCode = isWorse ? 1 : 0
}

await main()
