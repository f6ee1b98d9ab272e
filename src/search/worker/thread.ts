// The search thread: holds the vectors in memory, queries the full-text index on its own connection, and computes
// vectors. It writes nothing: its results go to the writer of the process that started it.

import Database from 'better-sqlite3'
import { parentPort, workerData } from 'node:worker_threads'
import { sqliteConnection, Statements } from '../../db/dialect.ts'
import type { Tables } from '../../db/tables.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Embeddings } from './embeddings.ts'
import { encodeAnswer, decodeRequest, type PostedRequest } from '../messages.ts'
import type { VectorPool } from './pool.ts'
import type { Candidates, RankedHits, RankRequest, Request, SearchRequest } from './protocol.ts'
import { SearchRun } from './run.ts'
import { typesOfKinds } from './scope.ts'
import type { SearchData } from './search-data.ts'
import { Spaces } from './spaces/spaces.ts'
import { TextQueries } from './spaces/text-queries.ts'
import { TextCache } from './texts.ts'

/** Maximum searches kept for a later ranking. */
const maxPendingRuns = 64

const { path } = workerData as { path: string }
const db = new Database(path, { readonly: true, timeout: 2000 })
db.pragma('trusted_schema = OFF')
db.pragma('cache_size = -32000')

class SearchThread implements SearchData {
  readonly db = db
  readonly queries = sqliteConnection<Tables>(db)
  readonly statements = new Statements(db)
  readonly texts = new TextCache(this.statements)
  readonly #textQueries = new TextQueries(this.statements)
  readonly #spaces: Spaces
  /** Searches whose candidates are being checked by the main thread before they are ranked. */
  readonly #runs = new BoundedMap<number, SearchRun>(maxPendingRuns)

  constructor() {
    this.texts.loadAll()
    this.#spaces = new Spaces(db, this.#textQueries, this.texts)
  }

  get embeddings(): Embeddings | undefined {
    return this.#spaces.embeddings
  }

  get localSpaceId(): string | undefined {
    return this.#spaces.localSpaceId
  }

  pool(space: string): VectorPool | undefined {
    return this.#spaces.pool(space)
  }

  answer(id: number, request: Request): unknown {
    const spaces = this.#spaces
    switch (request.do) {
      case 'search':
        return this.#search(id, request.search)
      case 'rank':
        return this.#rank(request.requestId, request.rank)
      case 'embed':
        return spaces.embed(request.limit)
      case 'load':
        return spaces.load(request.space, request.embedded)
      case 'count':
      case 'learn':
        return spaces.adaptation.learn(request.do, request.after, request.limit)
      case 'adapt':
        return spaces.adaptation.buildSpace()
      case 'reembed':
        return spaces.adaptation.embed(request.after, request.limit)
      case 'missing':
        return this.#textQueries.textsWithoutVectors(request.space, request.after, request.limit)
      case 'due':
        return this.#textQueries.changedForProvider(request.space, request.limit)
      case 'activate':
        return spaces.activate(request.space)
      case 'status':
        return spaces.status(request.space)
    }
  }

  /** A search that is ranked immediately is not kept. */
  #search(id: number, { scope, ...request }: SearchRequest): Candidates {
    const scoped = { ...request, scope: { ...scope, types: typesOfKinds(scope.types) } }
    this.texts.readChanges()
    const run = new SearchRun(this, scoped)
    const provider = request.vector && this.pool(request.vector.space) ? 'openai' : 'embedded'
    const candidates = run.candidates(this.#textQueries.countPendingIn(scoped.scope, provider))
    if (request.ranked)
      return { ...candidates, ranked: run.rankWithoutLinks(request.ranked, candidates.candidates) }
    this.#runs.set(id, run)
    return { ...candidates, ranked: undefined }
  }

  #rank(runId: number, request: RankRequest): RankedHits | null {
    const run = this.#runs.get(runId)
    this.#runs.delete(runId)
    return run?.rank(request) ?? null
  }
}

const thread = new SearchThread()
parentPort!.on('message', ({ id, posted }: { id: number; posted: PostedRequest }) => {
  try {
    const request = decodeRequest(posted)
    parentPort!.postMessage({ id, posted: encodeAnswer(request, thread.answer(id, request)) })
  } catch (error) {
    parentPort!.postMessage({
      id,
      failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
})
