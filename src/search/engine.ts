import type { Worker } from 'node:worker_threads'
import type { Store } from '../db/open.ts'
import { startThread } from '../executable.ts'
import { newId } from '../kernel/ids.ts'
import type { Provider } from './provider.ts'
import { forgetProvider, ProviderSpace, type Keeper } from './provider-space.ts'
import type { Look, Looked, Rank, Ranked } from './protocol.ts'
import type { TermRow } from './worker/meanings.ts'
import type { Made, Question, State } from './thread.ts'

/** Texts whose vectors are made at once, so that searches come in between. */
const batch = 100
/** Passages of a workspace from which on its words get vectors from their contexts. */
const enough = 200
/** The space is made anew once there are so many times more passages, or so many fewer. */
const growth = 1.2
/** Room for new objects of the thread, in megabytes: without a bound V8 keeps as much for it as for all else. */
const youngest = 8
/** How long the thread of a command waits for an answer, in milliseconds. */
const patience = 60_000

/** How this program makes vectors; another number whenever the same text would get another one. A space of another number is made anew. */
const manner = '1'

interface Waiting {
  settle: (answer: never) => void
  fail: (error: Error) => void
  timer: NodeJS.Timeout
}

/** Thrown where the thread of search is not there to answer: words are found without it. */
export class NoThread extends Error {}

/**
 * Search by words, meaning and links: it asks the thread that has the vectors, and writes what the thread made. One process of a data
 * directory keeps the vectors up (`tend`): the server.
 */
export class SearchEngine {
  readonly #store: Store
  readonly #now: () => number
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  /** Told of what goes wrong in the thread; it must not throw. */
  onFailure: ((error: Error) => void) | undefined
  #next = 1
  #tending: Promise<void> | undefined
  #isClosed = false
  /** Texts that changed while another space is being made: in it, too, they are due. */
  #touched: Set<number> | undefined

  readonly #provided: ProviderSpace | undefined

  /** `provider` makes vectors elsewhere, besides those of this program. */
  constructor(store: Store, now: () => number, provider?: Provider) {
    this.#store = store
    this.#now = now
    this.#provided = provider && new ProviderSpace(provider, this.#keeper())
  }

  /** Candidates for a search; `rank` with the same number brings them in order. @throws NoThread */
  async look(look: Look): Promise<Looked & { id: number; model: string | undefined }> {
    const given =
      look.given ??
      (look.mode === 'keyword' ? undefined : await this.#provided?.vectorOf(look.text))
    const id = this.#next
    const looked = await this.#ask<Looked>({ do: 'look', look: { ...look, given } })
    const model =
      looked.space === undefined
        ? undefined
        : looked.space === given?.space
          ? this.#provided!.provider.model
          : 'static-256'
    return { ...looked, id, model }
  }

  /** What a search found of that which its caller may see, best first. @throws NoThread */
  async rank(of: number, rank: Rank): Promise<Ranked[]> {
    return (await this.#ask<Ranked[] | null>({ do: 'rank', of, rank })) ?? []
  }

  state(): Promise<State> {
    return this.#ask({ do: 'state' })
  }

  /** Makes the vectors that are due; comes back when none is. Whoever calls it meanwhile waits for the same work. */
  tend(): Promise<void> {
    this.#tending ??= this.#tend().finally(() => (this.#tending = undefined))
    void this.#provided?.tend() // as long as it takes; nobody waits for others
    return this.#tending
  }

  /** The same for the vectors of the provider; comes back when it rests, too. */
  async tendProvider(): Promise<void> {
    await this.#provided?.tend()
  }

  /** Makes the space of this program anew from all texts, beside the one that answers, and puts it in its place. */
  async rebuild(
    told: (done: number) => void = () => {},
  ): Promise<{ passages: number; terms: number }> {
    await this.#ownSpace() // what changes meanwhile has a place
    this.#touched = new Set()
    try {
      const last = this.#store.raw.read
        .prepare('select coalesce(max(rowid_), 0) from search_docs')
        .pluck()
        .get() as number
      const passages = await this.#learn('count', last)
      await this.#learn('learn', last)
      const adapted = await this.#ask<{ passages: number; terms: TermRow[] }>({ do: 'adapted' })
      const space = await this.#begin(adapted.passages)
      await this.#putTerms(space, adapted.terms)
      await this.#remake(space, last, told)
      await this.#switch(space)
      await this.#forget('retired')
      return { passages, terms: adapted.terms.length }
    } finally {
      this.#touched = undefined
    }
  }

  /** Shows the texts that there are to the space that is to be made; how many passages they have. */
  async #learn(how: 'count' | 'learn', last: number): Promise<number> {
    let [after, passages]: [number | null, number] = [0, 0]
    do {
      const step: { after: number | null; passages: number } = await this.#ask({
        do: how,
        after,
        most: batch,
      })
      ;[after, passages] = [step.after, passages + step.passages]
      await this.#makeDue()
    } while (after !== null && after < last)
    return passages
  }

  /** Has the process that tends make the space anew, at its next look. */
  async renew(): Promise<void> {
    await this.#write(
      () =>
        void this.#store.raw.write
          .prepare(
            "update search_spaces set fingerprint = '' where state = 'active' and provider = 'embedded'",
          )
          .run(),
    )
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Ends the thread; whoever waits for it is told. */
  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    if (worker) this.#broken(worker, new NoThread('Search is ending.'))
    await this.#tending?.catch(() => {}) // it ends with its question
    await this.#provided?.close()
    await worker?.terminate()
  }

  async #tend(): Promise<void> {
    await this.#forget('retired') // what a process that ended early left
    if (!this.#provided) await forgetProvider(this.#keeper())
    for (let made = this.#isOutdated(); !this.#isClosed; made = false) {
      while (!this.#isClosed && (await this.#makeDue())) made = true
      if (!made) return
      if (!this.#isClosed && (await this.#isOutgrown())) await this.rebuild()
    }
  }

  /** Whether the space was made in another manner than this program's, or somebody asked for it to be made anew. */
  #isOutdated(): boolean {
    return (
      this.#store.raw.read
        .prepare(
          "select 1 from search_spaces where state = 'active' and provider = 'embedded' and fingerprint <> ?",
        )
        .get(manner) !== undefined
    )
  }

  #isDue(): boolean {
    return (
      this.#store.raw.read
        .prepare("select 1 from search_todo where provider = 'embedded' limit 1")
        .get() !== undefined
    )
  }

  /** Makes some of the vectors that are due; false where none is. */
  async #makeDue(): Promise<boolean> {
    if (!this.#isDue()) return false
    const space = await this.#ownSpace()
    const made = await this.#ask<Made[]>({ do: 'make', most: batch })
    await this.#write(() => {
      this.#put(space, made)
      const done = this.#store.raw.write.prepare(
        "delete from search_todo where doc = ? and provider = 'embedded' and version = ?",
      )
      for (const { doc, version } of made) done.run(doc, version)
    })
    for (const { doc } of made) this.#touched?.add(doc)
    await this.#ask({ do: 'keep', space, made })
    return made.length > 0
  }

  async #putTerms(space: string, terms: readonly TermRow[]): Promise<void> {
    for (let i = 0; i < terms.length; i += 1000) {
      const some = terms.slice(i, i + 1000)
      await this.#write(() => {
        const insert = this.#store.raw.write.prepare(
          'insert into search_terms (space, stem, passages, vector, scale) values (?, ?, ?, ?, ?)',
        )
        for (const one of some)
          insert.run(
            space,
            one.stem,
            one.passages,
            one.bytes ? bufferOf(one.bytes) : null,
            one.scale,
          )
      })
    }
  }

  /** Vectors of the texts up to one in a space that is being made, which those that come later are not: they are due. In the one that answers, those of what changes meanwhile. */
  async #remake(space: string, last: number, told: (done: number) => void): Promise<void> {
    let done = 0
    for (let after: number | null = 0; after !== null && after < last; ) {
      const step: { made: Made[]; after: number | null } = await this.#ask({
        do: 'remake',
        after,
        most: batch,
      })
      await this.#write(() => this.#put(space, step.made))
      after = step.after
      told((done += step.made.length))
      await this.#makeDue()
    }
  }

  /** Whether the space was made from much less, or much more, than there is by now, or somebody asked for another. */
  async #isOutgrown(): Promise<boolean> {
    if (this.#isOutdated()) return true
    const before = this.#store.raw.read
      .prepare(
        "select passages from search_spaces where state = 'active' and provider = 'embedded'",
      )
      .pluck()
      .get() as number | undefined
    const { passages: now } = await this.state()
    return before !== undefined && now >= enough && (now > before * growth || now * growth < before)
  }

  /** The space of this program; before the first texts it has the table's words only. */
  async #ownSpace(): Promise<string> {
    const known = this.#store.raw.read
      .prepare("select id from search_spaces where state = 'active' and provider = 'embedded'")
      .pluck()
      .get() as string | undefined
    if (known !== undefined) return known
    const made = await this.#begin(0)
    await this.#switch(made)
    return made
  }

  async #begin(passages: number): Promise<string> {
    const id = newId('spc', this.#now())
    await this.#forget('building')
    await this.#write(() => {
      const { write } = this.#store.raw
      write
        .prepare(
          "insert into search_spaces (id, provider, model, dimensions, fingerprint, passages, state, made_at) values (?, 'embedded', 'static-256', 256, ?, ?, 'building', ?)",
        )
        .run(id, manner, passages, this.#now())
    })
    return id
  }

  /** In one transaction the space answers, and the former one of its kind does not. What changed meanwhile is due again. */
  async #switch(space: string): Promise<void> {
    await this.#write(() => {
      const { write } = this.#store.raw
      write
        .prepare(
          "update search_spaces set state = 'retired' where state = 'active' and provider = 'embedded'",
        )
        .run()
      write
        .prepare("update search_spaces set state = 'active', active_at = ? where id = ?")
        .run(this.#now(), space)
      const due = write.prepare(
        "insert into search_todo (doc, provider, version) select ?, 'embedded', coalesce(max(version), 0) + 1 from search_todo where provider = 'embedded' on conflict (doc, provider) do nothing",
      )
      for (const doc of this.#touched ?? []) due.run(doc)
    })
    await this.#ask({ do: 'use', space })
  }

  /** Drops spaces that do not answer, a piece at a time: one piece holds up nobody's write. */
  async #forget(
    state: 'building' | 'retired',
    provider: 'embedded' | 'openai' = 'embedded',
  ): Promise<void> {
    const { read, write } = this.#store.raw
    for (const id of read
      .prepare('select id from search_spaces where state = ? and provider = ?')
      .pluck()
      .all(state, provider) as string[]) {
      for (const statement of [
        'delete from search_vectors where (doc, space, n) in (select doc, space, n from search_vectors where space = ? limit 1000)',
        'delete from search_terms where (space, stem) in (select space, stem from search_terms where space = ? limit 1000)',
      ]) {
        for (let gone = 1; gone > 0 && !this.#isClosed; )
          await this.#write(() => void (gone = write.prepare(statement).run(id).changes))
      }
      if (!this.#isClosed)
        await this.#write(
          () => void write.prepare('delete from search_spaces where id = ?').run(id),
        )
    }
  }

  #put(space: string, made: readonly Made[]): void {
    const { write } = this.#store.raw
    const drop = write.prepare('delete from search_vectors where doc = ? and space = ?')
    const insert = write.prepare(
      'insert into search_vectors (space, doc, n, start, length, vector, scale) select ?, ?, ?, ?, ?, ?, ? where exists (select 1 from search_docs where rowid_ = ?)',
    )
    for (const { doc, passages } of made) {
      drop.run(doc, space)
      for (const [n, one] of (passages ?? []).entries())
        insert.run(space, doc, n, one.start, one.length, bufferOf(one.bytes), one.scale, doc)
    }
  }

  async #write(work: () => void): Promise<void> {
    await this.#store.writer.run(async () => work())
  }

  #keeper(): Keeper {
    const isClosed = () => this.#isClosed
    return {
      store: this.#store,
      get isClosed() {
        return isClosed()
      },
      now: this.#now,
      ask: (question) => this.#ask(question),
      write: (work) => this.#write(work),
      put: (space, made) => this.#put(space, made),
      forgetRetired: (provider) => this.#forget('retired', provider),
    }
  }

  #ask<A>(question: Question): Promise<A> {
    if (this.#isClosed) return Promise.reject(new NoThread('Search is ending.'))
    const worker = (this.#worker ??= this.#start())
    const id = this.#next++
    return new Promise<A>((settle, fail) => {
      const timer = setTimeout(
        () => this.#broken(worker, new NoThread('The thread of search does not answer.')),
        patience,
      )
      timer.unref()
      this.#waiting.set(id, { settle, fail, timer })
      worker.ref() // while somebody waits it keeps the process
      worker.postMessage({ id, question })
    })
  }

  #start(): Worker {
    const worker = startThread('thread', import.meta.url, {
      workerData: { path: this.#store.path },
      resourceLimits: { maxYoungGenerationSizeMb: youngest },
    })
    worker.on(
      'message',
      ({ id, answer, failed }: { id: number; answer?: never; failed?: string }) => {
        const waiting = this.#waiting.get(id)
        if (!waiting) return
        this.#waiting.delete(id)
        if (this.#waiting.size === 0) worker.unref()
        clearTimeout(waiting.timer)
        if (failed === undefined) waiting.settle(answer as never)
        else this.#fail(waiting, failed)
      },
    )
    worker.on('error', (error) => {
      this.onFailure?.(error)
      this.#broken(worker, new NoThread(`The thread of search ended: ${error.message}`))
    })
    worker.on('exit', () => this.#broken(worker, new NoThread('The thread of search ended.')))
    worker.unref()
    return worker
  }

  /** A fault of ours: the log has it, and whoever asked goes on without the thread. */
  #fail(waiting: Waiting, failed: string): void {
    this.onFailure?.(new Error(failed))
    waiting.fail(new NoThread(failed))
  }

  /** Whoever waits is told; the next question starts another thread. */
  #broken(worker: Worker, error: Error): void {
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

function bufferOf(bytes: Int8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
