// This project's search with the interface of search benchmarks: `index(docs)`, `search(query, k)`, `close()` when
// imported; when run, the same as JSON lines on standard input ({"index": [docs]}, {"search": query, "k": 100}), each
// answered by a line. Documents: {id, title, text, container? (or scope), links? ([id or {to, kind}]), thread?, seq?};
// queries: {id, text, scope?}. Works on any Node from 18 on: the search itself is started with a suitable one.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = [
  fileURLToPath(new URL('node.mjs', import.meta.url)),
  fileURLToPath(new URL('search-program.ts', import.meta.url)),
]
let child
let answers

function ask(question) {
  if (!child) {
    child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })
    answers = lines[Symbol.asyncIterator]()
  }
  child.stdin.write(`${JSON.stringify(question)}\n`)
  return answers.next().then(({ value, done }) => {
    if (done) throw new Error('The program that searches ended.')
    const answer = JSON.parse(value)
    if (answer.error) throw new Error(answer.error)
    return answer.value
  })
}

/** Replaces the indexed documents. */
export async function index(docs) {
  await ask({ begin: true })
  for (let i = 0; i < docs.length; i += 500) await ask({ add: docs.slice(i, i + 500) })
  await ask({ index: [] })
}

/**
 * Ids of the best documents for a query, best first. `way`: by words only, by words and meaning, or by all, with
 * links.
 */
export function search(query, k = 100, way = 'all') {
  return ask({ search: query, k, way })
}

export async function close() {
  const ended = child && new Promise((go) => child.once('exit', go))
  child?.stdin.end()
  child = undefined
  await ended
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  spawn(process.execPath, program, { stdio: 'inherit' }).once('exit', (code) =>
    process.exit(code ?? 1),
  )
