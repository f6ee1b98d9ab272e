import type { Worker } from 'node:worker_threads'
import type { IndexFile } from '../db/index-file.ts'
import type { Store } from '../db/open.ts'
import { LocalSpace } from './local-space.ts'
import type { Reranker } from './reranker.ts'
import type { VectorSource } from './sources/vector-source.ts'
import { forgetProvider, ProviderSpace, type EmbeddingStore } from './provider-space.ts'
import type {
  Candidates,
  RankedHits,
  RankRequest,
  Request,
  SearchRequest,
  VectorStatus,
} from './worker/protocol.ts'
import { defaultSlice, type SliceLimits, type WriteSteps, writeSlices } from './slices.ts'
import { deleteSpace } from './stored-vectors.ts'
import { encodeRequest, decodeAnswer, type PostedAnswer } from './messages.ts'
import { startSearchThread } from './worker/start.ts'

/** Young generation of the thread, in megabytes: without a limit, V8 reserves as much for it as for everything else. */
const maxYoungGenerationMb = 8
/** Milliseconds that a command's thread waits for an answer. */
const answerTimeoutMs = 60_000

interface PendingRequest {
  resolve: (answer: unknown) => void
  fail: (error: Error) => void
  timer: NodeJS.Timeout
}

/** Thrown if the search thread is unavailable: word search works without it. */
export class SearchUnavailable extends Error {}

/**
 * Search by words, meaning and links: sends requests to the thread that holds the vectors, and writes the thread's
 * results. One process per data directory maintains the vectors (`maintain`): the server.
 */
export class SearchEngine {
  readonly #store: IndexFile
  readonly #now: () => number
  readonly #slice: SliceLimits
  readonly #waiting = new Map<number, PendingRequest>()
  #worker: Worker | undefined
  /** Called for errors in the thread; must not throw. */
  onFailure: ((error: Error) => void) | undefined
  #nextId = 1
  #maintaining: Promise<void> | undefined
  #isClosed = false

  readonly #localSpace: LocalSpace
  readonly #providerSpace: ProviderSpace | undefined

  /** Sorts the best hits; undefined if not configured. */
  readonly reranker: Reranker | undefined

  /** `provider` computes additional vectors externally; `slice` limits the size of one write transaction. */
  constructor(
    { index }: Pick<Store, 'index'>,
    now: () => number,
    {
      provider,
      reranker,
      slice = defaultSlice,
    }: {
      provider?: VectorSource | undefined
      reranker?: Reranker | undefined
      slice?: SliceLimits | undefined
    } = {},
  ) {
    this.reranker = reranker
    this.#store = index
    this.#now = now
    this.#slice = slice
    this.#localSpace = new LocalSpace(this.#embeddingStore())
    this.#providerSpace = provider && new ProviderSpace(provider, this.#embeddingStore())
  }

  /**
   * Candidates for a search, with ranked hits if requested; otherwise call `rank` with the same id.
   * @throws SearchUnavailable
   */
  async search(
    request: SearchRequest,
  ): Promise<Candidates & { id: number; model: string | undefined }> {
    const vector =
      request.vector ??
      (request.mode === 'keyword'
        ? undefined
        : await this.#providerSpace?.vectorOf(request.query.text))
    await this.#store.refresh()
    const id = this.#nextId
    const candidates = await this.#request<Candidates>({
      do: 'search',
      search: { ...request, vector },
    })
    return { ...candidates, id, model: this.#modelOf(candidates.space, vector?.space) }
  }

  /** The model of the vectors that were used. */
  #modelOf(space: string | undefined, provided: string | undefined): string | undefined {
    if (space === undefined) return undefined
    return space === provided ? this.#providerSpace!.provider.model : 'static-256'
  }

  /** Ranks the candidates of a search that its caller can see, best first. @throws SearchUnavailable */
  async rank(search: number, request: RankRequest): Promise<RankedHits> {
    const ranked = await this.#request<RankedHits | null>({
      do: 'rank',
      requestId: search,
      rank: request,
    })
    return ranked ?? { hits: [], countByType: {} }
  }

  vectorStatus(): Promise<VectorStatus> {
    return this.#request({ do: 'status' })
  }

  /** Computes pending vectors; resolves when none are left. Concurrent callers share the same work. */
  maintain(): Promise<void> {
    this.#maintaining ??= this.#maintain().finally(() => (this.#maintaining = undefined))
    void this.#providerSpace?.maintain() // not awaited: callers do not wait for the provider
    return this.#maintaining
  }

  /** Computes pending vectors of the provider; also resolves while it is paused. */
  async maintainProvider(): Promise<void> {
    await this.#providerSpace?.maintain()
  }

  /** Rebuilds this program's space from all texts, while the active one stays in use, and then replaces it. */
  rebuild(report?: (done: number) => void): Promise<{ passages: number; terms: number }> {
    return this.#localSpace.rebuild(report)
  }

  /** Asks the process that maintains the vectors to rebuild the space soon. */
  requestRebuild(): Promise<void> {
    return this.#localSpace.requestRebuild()
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Ends the thread; pending callers get an error. */
  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    if (worker) this.#abandonWorker(worker, new SearchUnavailable('Search is ending.'))
    await this.#maintaining?.catch(() => {}) // it ends when its request is rejected
    await this.#providerSpace?.close()
    await worker?.terminate()
  }

  async #maintain(): Promise<void> {
    await this.#store.refresh()
    await this.#deleteSpaces('retired', 'embedded') // left behind by a process that ended early
    if (!this.#providerSpace) await forgetProvider(this.#embeddingStore())
    for (let hasWork = this.#localSpace.isOutdated(); !this.#isClosed; hasWork = false) {
      while (!this.#isClosed && (await this.#localSpace.embedDue())) hasWork = true
      if (!hasWork) return
      if (!this.#isClosed && (await this.#localSpace.needsRebuild())) await this.rebuild()
    }
  }

  /** Deletes inactive spaces. */
  async #deleteSpaces(
    state: 'building' | 'retired',
    provider: 'embedded' | 'openai',
  ): Promise<void> {
    const { read, write } = this.#store.raw
    const spaces = read
      .prepare('select id from search_spaces where state = ? and provider = ?')
      .pluck()
      .all(state, provider) as string[]
    for (const id of spaces) if (!this.#isClosed) await this.#write(deleteSpace(write, id))
  }

  async #write(steps: WriteSteps): Promise<void> {
    const isCompleted = await writeSlices(
      this.#store.writer,
      steps,
      this.#slice,
      () => this.#isClosed,
    )
    if (!isCompleted) throw new SearchUnavailable('Search is ending.')
  }

  #embeddingStore(): EmbeddingStore {
    const isClosed = () => this.#isClosed
    return {
      store: this.#store,
      get isClosed() {
        return isClosed()
      },
      now: this.#now,
      ask: (question) => this.#request(question),
      write: (steps) => this.#write(steps),
      forget: (state, provider) => this.#deleteSpaces(state, provider),
    }
  }

  #request<A>(request: Request): Promise<A> {
    if (this.#isClosed) return Promise.reject(new SearchUnavailable('Search is ending.'))
    const worker = (this.#worker ??= this.#start())
    const id = this.#nextId++
    return new Promise<A>((settle, fail) => {
      const timer = setTimeout(
        () =>
          this.#abandonWorker(
            worker,
            new SearchUnavailable('The thread of search does not answer.'),
          ),
        answerTimeoutMs,
      )
      timer.unref()
      this.#waiting.set(id, { resolve: (answer) => settle(answer as A), fail, timer })
      worker.ref() // keeps the process alive while a caller waits
      worker.postMessage({ id, posted: encodeRequest(request) })
    })
  }

  #start(): Worker {
    const worker = startSearchThread({
      workerData: { path: this.#store.path },
      resourceLimits: { maxYoungGenerationSizeMb: maxYoungGenerationMb },
    })
    worker.on(
      'message',
      ({
        id,
        posted,
        failed: errorMessage,
      }: {
        id: number
        posted: PostedAnswer
        failed?: string
      }) => {
        const waiting = this.#waiting.get(id)
        if (!waiting) return
        this.#waiting.delete(id)
        if (this.#waiting.size === 0) worker.unref()
        clearTimeout(waiting.timer)
        if (errorMessage === undefined) waiting.resolve(decodeAnswer(posted))
        else this.#fail(waiting, errorMessage)
      },
    )
    worker.on('error', (error) => {
      this.onFailure?.(error)
      this.#abandonWorker(
        worker,
        new SearchUnavailable(`The thread of search ended: ${error.message}`),
      )
    })
    worker.on('exit', () =>
      this.#abandonWorker(worker, new SearchUnavailable('The thread of search ended.')),
    )
    worker.unref()
    return worker
  }

  /** An internal error: logged, and the caller continues without the thread. */
  #fail(waiting: PendingRequest, failed: string): void {
    this.onFailure?.(new Error(failed))
    waiting.fail(new SearchUnavailable(failed))
  }

  /** Rejects pending requests; the next request starts another thread. */
  #abandonWorker(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    void worker.terminate()
    for (const { fail, timer } of this.#waiting.values()) {
      clearTimeout(timer)
      fail(error)
    }
    this.#waiting.clear()
  }
}
