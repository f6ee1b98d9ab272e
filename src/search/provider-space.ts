// The vectors of a provider: built for all texts beside the active space, activated once complete, and kept up to date.

import { BoundedMap } from '../kernel/bounded-map.ts'
import { newId } from '../kernel/ids.ts'
import type { IndexFile } from '../db/index-file.ts'
import { EmbeddingsFailure } from '../connectors/embeddings.ts'
import { changingModelsProblem } from './sources/provider.ts'
import { SourcePaused, type Identity, type VectorSource } from './sources/vector-source.ts'
import { type WriteSteps, singleStep } from './slices.ts'
import { maxDeleted, repeatDelete, storeText } from './stored-vectors.ts'
import type { PassageVector } from './worker/pool.ts'
import { quantize } from './worker/scan.ts'
import type {
  EmbeddedText,
  PendingText,
  QueryVector,
  Request,
  VectorStatus,
} from './worker/protocol.ts'

/** Parts of the engine that are used here. */
export interface EmbeddingStore {
  readonly store: IndexFile
  readonly isClosed: boolean
  now(): number
  ask<A>(question: Request): Promise<A>
  /** Writes in slices, yielding to calls. @throws SearchUnavailable if search ends before the last step */
  write(steps: WriteSteps): Promise<void>
  /** Deletes inactive spaces of a provider. */
  forget(state: 'building' | 'retired', provider: 'embedded' | 'openai'): Promise<void>
}

interface Space extends Identity {
  id: string
  state: 'building' | 'active'
}

/** Thrown if the provider's model has changed. */
class ModelChanged extends Error {}

/** Texts read at a time. */
const batchSize = 64
/** Maximum model changes handled in one round. */
const maxChanges = 3
/** Maximum number of cached query vectors. */
const maxCachedQueries = 500

export class ProviderSpace {
  readonly provider: VectorSource
  readonly #embeddings: EmbeddingStore
  readonly #queryVectors = new BoundedMap<string, Float32Array>(maxCachedQueries)
  /** The space verified to match the provider's model. */
  #space: Space | undefined
  /** Position of the scan for texts without vectors. */
  #sweepPosition = { space: '', after: 0 as number | null }
  /** A space that no longer matches the provider. */
  #mismatchedSpaceId: string | undefined
  #running: Promise<void> | undefined
  #isRequestedAgain = false
  #timer: NodeJS.Timeout | undefined
  #isMaintaining = false

  constructor(provider: VectorSource, by: EmbeddingStore) {
    this.provider = provider
    this.#embeddings = by
  }

  /** Processes pending texts until none are left or the provider is paused; then resumes by itself. */
  maintain(): Promise<void> {
    this.#isMaintaining = true
    this.#isRequestedAgain = true
    this.#running ??= this.#runRounds().finally(() => {
      this.#running = undefined
      if (this.#isRequestedAgain && !this.#embeddings.isClosed && !this.provider.isPaused)
        void this.maintain() // requested at the moment when the last round ended
    })
    return this.#running
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.provider.close()
    await this.#running
  }

  /** The vector of a query in the active space; undefined: use this program's vectors. */
  async vectorOf(query: string): Promise<QueryVector | undefined> {
    const active = this.#spaces().find((space) => space.state === 'active')
    if (!active || active.id === this.#mismatchedSpaceId) return undefined
    const name = `${active.id} ${query}`
    const cached = this.#queryVectors.get(name)
    if (cached) return { space: active.id, vector: cached }
    const embedded = this.provider.acceptsQueries ? await this.provider.vectorOf(query) : undefined
    if (!embedded) return undefined
    if (!this.provider.isSame(embedded.identity, active)) {
      this.#mismatchedSpaceId = active.id
      this.#space = undefined
      if (this.#isMaintaining) void this.maintain()
      return undefined
    }
    this.#queryVectors.set(name, embedded.vector)
    return { space: active.id, vector: embedded.vector }
  }

  async #runRounds(): Promise<void> {
    while (this.#isRequestedAgain && !this.#embeddings.isClosed && !this.provider.isPaused) {
      this.#isRequestedAgain = false
      try {
        await this.#register()
        await this.#processPending()
        await this.#recordProblem()
      } catch (error) {
        if (this.#embeddings.isClosed) return
        if (!(error instanceof SourcePaused)) this.provider.pause(error)
        await this.#recordProblem().catch(() => {}) // a database that cannot be written is reported elsewhere
        this.#scheduleRetry()
      }
    }
  }

  #scheduleRetry(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => void this.maintain(),
      Math.max(100, this.provider.currentProblem!.retryAt - this.#embeddings.now()),
    )
    this.#timer.unref()
  }

  async #processPending(): Promise<void> {
    for (let changes = 0; ; changes++) {
      try {
        const space = (this.#space ??= await this.#spaceOf(await this.provider.identity()))
        if (space.state === 'building') await this.#sweep(space)
        do await this.#drain(space)
        while (space.state === 'building' && !(await this.#activate(space)))
        return
      } catch (error) {
        if (!(error instanceof ModelChanged)) throw error
        this.#space = undefined
        if (changes >= maxChanges)
          throw this.provider.pause(new EmbeddingsFailure('nonsense', changingModelsProblem))
      }
    }
  }

  /** Registers the provider, so that changed texts are marked as pending for it, too. */
  async #register(): Promise<void> {
    const { model } = this.provider
    const { read, write } = this.#embeddings.store.raw
    if (
      read.prepare("select model from search_providers where provider = 'openai'").pluck().get() ===
      model
    )
      return
    await this.#embeddings.write(
      singleStep(() =>
        write
          .prepare(
            "insert into search_providers (provider, model) values ('openai', ?) on conflict (provider) do update set model = excluded.model",
          )
          .run(model),
      ),
    )
  }

  #spaces(): Space[] {
    return this.#embeddings.store.raw.read
      .prepare(
        "select id, state, dimensions, fingerprint from search_spaces where provider = 'openai' and state <> 'retired'",
      )
      .all() as Space[]
  }

  /** The space for the provider's model: the active or building one if it matches, otherwise a new one. */
  async #spaceOf(identity: Identity): Promise<Space> {
    const all = this.#spaces()
    const matching = all.find((item) => this.provider.isSame(item, identity))
    const others = all.filter((item) => item !== matching && item.state === 'building')
    const { write } = this.#embeddings.store.raw
    const space: Space = matching
      ? { ...matching, state: others.length > 0 ? 'building' : matching.state }
      : { ...identity, id: newId('spc', this.#embeddings.now()), state: 'building' }
    await this.#embeddings.write(
      singleStep(() => {
        for (const other of others)
          write.prepare("update search_spaces set state = 'retired' where id = ?").run(other.id)
        if (matching)
          write
            .prepare('update search_spaces set state = ?, model = ? where id = ?')
            .run(space.state, this.provider.model, space.id)
        else
          write
            .prepare(
              "insert into search_spaces (id, provider, model, dimensions, fingerprint, passages, state, made_at) values (?, 'openai', ?, ?, ?, 0, 'building', ?)",
            )
            .run(
              space.id,
              this.provider.model,
              space.dimensions,
              space.fingerprint,
              this.#embeddings.now(),
            )
      }),
    )
    await this.#embeddings.ask({ do: 'activate', space: null })
    await this.#embeddings.forget('retired', 'openai')
    return space
  }

  /** Computes the vectors of all texts that have none in a space. Resumes after an interruption. */
  async #sweep(space: Space): Promise<void> {
    if (this.#sweepPosition.space !== space.id) this.#sweepPosition = { space: space.id, after: 0 }
    while (this.#sweepPosition.after !== null && !this.#embeddings.isClosed) {
      const { texts, after } = await this.#embeddings.ask<{
        texts: PendingText[]
        after: number | null
      }>({
        do: 'missing',
        space: space.id,
        after: this.#sweepPosition.after,
        limit: batchSize,
      })
      await this.#embedTexts(space, texts)
      this.#sweepPosition.after = after
    }
  }

  /** Computes the vectors of changed texts. */
  async #drain(space: Space): Promise<void> {
    while (!this.#embeddings.isClosed) {
      const due = this.#isDue()
        ? await this.#embeddings.ask<PendingText[]>({
            do: 'due',
            space: space.id,
            limit: batchSize,
          })
        : []
      if (due.length === 0) return
      await this.#embedTexts(space, due)
    }
  }

  #isDue(): boolean {
    return (
      this.#embeddings.store.raw.read
        .prepare("select 1 from search_todo where provider = 'openai' limit 1")
        .get() !== undefined
    )
  }

  /** Requests the vectors of some texts in batches, and stores each text once it is complete. */
  async #embedTexts(space: Space, texts: readonly PendingText[]): Promise<void> {
    const ready = texts.filter((text) => text.passages === undefined || text.vectors)
    if (ready.length > 0)
      await this.#storeAndLoad(
        space,
        ready.map(({ doc, version, vectors }) => ({ doc, version, passages: vectors })),
      )
    const incomplete = texts
      .filter((text) => !ready.includes(text))
      .map((text) => ({
        ...text,
        passages: text.passages!,
        stored: [] as PassageVector[],
        remaining: text.passages!.length,
      }))
    const queue = incomplete.flatMap((entry) =>
      entry.passages.map((passage) => ({ entry, passage })),
    )
    while (queue.length > 0 && !this.#embeddings.isClosed) {
      const batch = queue.splice(0, this.provider.batch)
      const { identity, vectors } = await this.provider.vectorsOf(
        batch.map((item) => item.passage.text),
      )
      if (!this.provider.isSame(identity, space)) throw new ModelChanged()
      for (const [
        i,
        {
          entry,
          passage: { start, length },
        },
      ] of batch.entries()) {
        entry.remaining--
        if (vectors[i]) entry.stored.push({ start, length, ...quantize(vectors[i]) })
      }
      const done = incomplete.filter((item) => item.remaining === 0)
      for (const item of done) incomplete.splice(incomplete.indexOf(item), 1)
      await this.#storeAndLoad(
        space,
        done.map(({ doc, version, stored }) => ({ doc, version, passages: stored })),
      )
    }
  }

  /** Stores vectors, except for texts that have changed since they were read. */
  async #storeAndLoad(space: Space, texts: readonly EmbeddedText[]): Promise<void> {
    const fresh: EmbeddedText[] = []
    await this.#embeddings.write(this.#storeSteps(space, texts, fresh))
    await this.#embeddings.ask({ do: 'load', space: space.id, embedded: fresh })
  }

  /** Adds the texts to `fresh` that had not changed when the last of their vectors was written. */
  *#storeSteps(space: Space, embedded: readonly EmbeddedText[], fresh: EmbeddedText[]): WriteSteps {
    const { write } = this.#embeddings.store.raw
    const due = write
      .prepare("select version from search_todo where doc = ? and provider = 'openai'")
      .pluck()
    const done = write.prepare("delete from search_todo where doc = ? and provider = 'openai'")
    for (const text of embedded)
      yield* storeText(write, space.id, text, {
        isCurrent: () => ((due.get(text.doc) as number | undefined) ?? 0) === text.version,
        whenStored: () => {
          done.run(text.doc)
          fresh.push(text)
        },
      })
  }

  /** If nothing is due, switches in one transaction: this space becomes active, and the previous one is retired. */
  async #activate(space: Space): Promise<boolean> {
    if (this.#embeddings.isClosed) return true
    const { write } = this.#embeddings.store.raw
    const { passages } = await this.#embeddings.ask<VectorStatus>({ do: 'status', space: space.id })
    let hasSwitched = false
    await this.#embeddings.write(
      singleStep(() => {
        if (
          write.prepare("select 1 from search_todo where provider = 'openai' limit 1").get() !==
          undefined
        )
          return
        write
          .prepare(
            "update search_spaces set state = 'retired' where provider = 'openai' and state = 'active'",
          )
          .run()
        write
          .prepare(
            "update search_spaces set state = 'active', active_at = ?, passages = ? where id = ?",
          )
          .run(this.#embeddings.now(), passages, space.id)
        hasSwitched = true
      }),
    )
    if (!hasSwitched) return false
    space.state = 'active'
    this.#mismatchedSpaceId = undefined
    await this.#embeddings.ask({ do: 'activate', space: space.id })
    await this.#embeddings.forget('retired', 'openai')
    return true
  }

  /** Stores the current problem in the database, where commands and status pages read it. */
  async #recordProblem(): Promise<void> {
    const { problem = null, at = null, retryAt = null } = this.provider.currentProblem ?? {}
    const { read, write } = this.#embeddings.store.raw
    const previous = read
      .prepare("select problem, retry_at, asked_at from search_providers where provider = 'openai'")
      .get() as
      | { problem: string | null; retry_at: number | null; asked_at: number | null }
      | undefined
    if (
      previous &&
      problem === previous.problem &&
      retryAt === previous.retry_at &&
      (problem !== null || previous.asked_at !== null)
    )
      return
    const askedAt = problem === null ? this.#embeddings.now() : (previous?.asked_at ?? null)
    await this.#embeddings.write(
      singleStep(() =>
        write
          .prepare(
            "update search_providers set problem = ?, problem_at = ?, retry_at = ?, asked_at = ? where provider = 'openai'",
          )
          .run(problem, at, retryAt, askedAt),
      ),
    )
  }
}

/** Deletes all provider data if none is configured. */
export async function forgetProvider(by: EmbeddingStore): Promise<void> {
  const { read, write } = by.store.raw
  if (
    read
      .prepare(
        "select 1 from search_providers union all select 1 from search_spaces where provider = 'openai' union all select 1 from search_todo where provider = 'openai' limit 1",
      )
      .get() === undefined
  )
    return
  await by.write(
    singleStep(() =>
      write.exec(
        "delete from search_providers; update search_spaces set state = 'retired' where provider = 'openai'",
      ),
    ),
  )
  await by.write(
    repeatDelete(
      write.prepare(
        `delete from search_todo where provider = 'openai' and doc in (select doc from search_todo where provider = 'openai' limit ${maxDeleted})`,
      ),
    ),
  )
  await by.ask({ do: 'activate', space: null })
  await by.forget('retired', 'openai')
}
