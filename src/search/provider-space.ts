// The vectors of a provider: built for all texts beside the active space, activated once complete, and kept up to date.

import { BoundedMap } from '../kernel/bounded-map.ts'
import { newId } from '../kernel/ids.ts'
import type { IndexFile } from '../db/index-file.ts'
import { NoVectors } from '../connectors/embeddings.ts'
import { changing, Resting, type Identity, type Provider } from './provider.ts'
import { type Steps, singleStep } from './slices.ts'
import { maxDeleted, repeated, storedText } from './stored-vectors.ts'
import type { PassageVector } from './worker/pool.ts'
import { quantized } from './worker/scan.ts'
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
  /** Writes in slices, yielding to calls. @throws SearchUnavailable where search ends before the last step */
  write(steps: Steps): Promise<void>
  /** Deletes inactive spaces of a provider. */
  forget(state: 'building' | 'retired', provider: 'embedded' | 'openai'): Promise<void>
}

interface Space extends Identity {
  id: string
  state: 'building' | 'active'
}

/** Thrown if the provider's model has changed. */
class Changed extends Error {}

/** Texts read at a time. */
const batchSize = 64
/** Maximum model changes handled in one round. */
const maxChanges = 3
/** Maximum number of cached query vectors. */
const maxQuestions = 500

export class ProviderSpace {
  readonly provider: Provider
  readonly #by: EmbeddingStore
  readonly #questions = new BoundedMap<string, Float32Array>(maxQuestions)
  /** The space verified to match the provider's model. */
  #space: Space | undefined
  /** Position of the scan for texts without vectors. */
  #swept = { space: '', after: 0 as number | null }
  /** A space that no longer matches the provider. */
  #foreign: string | undefined
  #round: Promise<void> | undefined
  #isRequestedAgain = false
  #timer: NodeJS.Timeout | undefined
  #keepsUp = false

  constructor(provider: Provider, by: EmbeddingStore) {
    this.provider = provider
    this.#by = by
  }

  /** Processes pending texts until none are left or the provider is paused; then resumes by itself. */
  maintain(): Promise<void> {
    this.#keepsUp = true
    this.#isRequestedAgain = true
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined
      if (this.#isRequestedAgain && !this.#by.isClosed && !this.provider.isResting)
        void this.maintain() // asked in the moment in which it ended
    })
    return this.#round
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.provider.close()
    await this.#round
  }

  /** The vector of a query in the active space; undefined: use this program's vectors. */
  async vectorOf(question: string): Promise<QueryVector | undefined> {
    const active = this.#spaces().find((space) => space.state === 'active')
    if (!active || active.id === this.#foreign) return undefined
    const name = `${active.id} ${question}`
    const cached = this.#questions.get(name)
    if (cached) return { space: active.id, vector: cached }
    const embedded = this.provider.takesQuestions
      ? await this.provider.vectorOf(question)
      : undefined
    if (!embedded) return undefined
    if (!this.provider.isSame(embedded.identity, active)) {
      this.#foreign = active.id
      this.#space = undefined
      if (this.#keepsUp) void this.maintain()
      return undefined
    }
    this.#questions.set(name, embedded.vector)
    return { space: active.id, vector: embedded.vector }
  }

  async #rounds(): Promise<void> {
    while (this.#isRequestedAgain && !this.#by.isClosed && !this.provider.isResting) {
      this.#isRequestedAgain = false
      try {
        await this.#register()
        await this.#keepUp()
        await this.#note()
      } catch (error) {
        if (this.#by.isClosed) return
        if (!(error instanceof Resting)) this.provider.rest(error)
        await this.#note().catch(() => {}) // the database cannot be written: that is told elsewhere
        this.#comeBack()
      }
    }
  }

  #comeBack(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => void this.maintain(),
      Math.max(100, this.provider.trouble!.until - this.#by.now()),
    )
    this.#timer.unref()
  }

  async #keepUp(): Promise<void> {
    for (let changes = 0; ; changes++) {
      try {
        const space = (this.#space ??= await this.#spaceOf(await this.provider.identity()))
        if (space.state === 'building') await this.#sweep(space)
        do await this.#drain(space)
        while (space.state === 'building' && !(await this.#switch(space)))
        return
      } catch (error) {
        if (!(error instanceof Changed)) throw error
        this.#space = undefined
        if (changes >= maxChanges) throw this.provider.rest(new NoVectors('nonsense', changing))
      }
    }
  }

  /** From now on, changed texts are recorded for the provider, too. */
  async #register(): Promise<void> {
    const { model } = this.provider
    const { read, write } = this.#by.store.raw
    if (
      read.prepare("select model from search_providers where provider = 'openai'").pluck().get() ===
      model
    )
      return
    await this.#by.write(
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
    return this.#by.store.raw.read
      .prepare(
        "select id, state, dimensions, fingerprint from search_spaces where provider = 'openai' and state <> 'retired'",
      )
      .all() as Space[]
  }

  /** The space for the provider's model: the active or building one if it matches, otherwise a new one. */
  async #spaceOf(identity: Identity): Promise<Space> {
    const all = this.#spaces()
    const same = all.find((item) => this.provider.isSame(item, identity))
    const others = all.filter((item) => item !== same && item.state === 'building')
    const { write } = this.#by.store.raw
    const space: Space = same
      ? { ...same, state: others.length > 0 ? 'building' : same.state }
      : { ...identity, id: newId('spc', this.#by.now()), state: 'building' }
    await this.#by.write(
      singleStep(() => {
        for (const other of others)
          write.prepare("update search_spaces set state = 'retired' where id = ?").run(other.id)
        if (same)
          write
            .prepare('update search_spaces set state = ?, model = ? where id = ?')
            .run(space.state, this.provider.model, space.id)
        else
          write
            .prepare(
              "insert into search_spaces (id, provider, model, dimensions, fingerprint, passages, state, made_at) values (?, 'openai', ?, ?, ?, 0, 'building', ?)",
            )
            .run(space.id, this.provider.model, space.dimensions, space.fingerprint, this.#by.now())
      }),
    )
    await this.#by.ask({ do: 'activate', space: null })
    await this.#by.forget('retired', 'openai')
    return space
  }

  /** Computes the vectors of all texts that have none in a space. Resumes after an interruption. */
  async #sweep(space: Space): Promise<void> {
    if (this.#swept.space !== space.id) this.#swept = { space: space.id, after: 0 }
    while (this.#swept.after !== null && !this.#by.isClosed) {
      const { texts, after } = await this.#by.ask<{ texts: PendingText[]; after: number | null }>({
        do: 'missing',
        space: space.id,
        after: this.#swept.after,
        limit: batchSize,
      })
      await this.#make(space, texts)
      this.#swept.after = after
    }
  }

  /** Computes the vectors of changed texts. */
  async #drain(space: Space): Promise<void> {
    while (!this.#by.isClosed) {
      const due = this.#isDue()
        ? await this.#by.ask<PendingText[]>({ do: 'due', space: space.id, limit: batchSize })
        : []
      if (due.length === 0) return
      await this.#make(space, due)
    }
  }

  #isDue(): boolean {
    return (
      this.#by.store.raw.read
        .prepare("select 1 from search_todo where provider = 'openai' limit 1")
        .get() !== undefined
    )
  }

  /** Requests the vectors of some texts in batches, and stores each text once it is complete. */
  async #make(space: Space, texts: readonly PendingText[]): Promise<void> {
    const ready = texts.filter((text) => text.passages === undefined || text.vectors)
    if (ready.length > 0)
      await this.#keep(
        space,
        ready.map(({ doc, version, vectors }) => ({ doc, version, passages: vectors })),
      )
    const open = texts
      .filter((text) => !ready.includes(text))
      .map((text) => ({
        ...text,
        passages: text.passages!,
        placed: [] as PassageVector[],
        left: text.passages!.length,
      }))
    const queue = open.flatMap((entry) => entry.passages.map((passage) => ({ of: entry, passage })))
    while (queue.length > 0 && !this.#by.isClosed) {
      const batch = queue.splice(0, this.provider.batch)
      const { identity, vectors } = await this.provider.vectorsOf(
        batch.map((item) => item.passage.text),
      )
      if (!this.provider.isSame(identity, space)) throw new Changed()
      for (const [
        i,
        {
          of,
          passage: { start, length },
        },
      ] of batch.entries()) {
        of.left--
        if (vectors[i]) of.placed.push({ start, length, ...quantized(vectors[i]) })
      }
      const done = open.filter((item) => item.left === 0)
      for (const item of done) open.splice(open.indexOf(item), 1)
      await this.#keep(
        space,
        done.map(({ doc, version, placed }) => ({ doc, version, passages: placed })),
      )
    }
  }

  /** Stores vectors, except for texts that have changed since they were read. */
  async #keep(space: Space, texts: readonly EmbeddedText[]): Promise<void> {
    const fresh: EmbeddedText[] = []
    await this.#by.write(this.#storing(space, texts, fresh))
    await this.#by.ask({ do: 'load', space: space.id, embedded: fresh })
  }

  /** Adds the texts to `fresh` that had not changed when the last of their vectors was written. */
  *#storing(space: Space, embedded: readonly EmbeddedText[], fresh: EmbeddedText[]): Steps {
    const { write } = this.#by.store.raw
    const due = write
      .prepare("select version from search_todo where doc = ? and provider = 'openai'")
      .pluck()
    const done = write.prepare("delete from search_todo where doc = ? and provider = 'openai'")
    for (const text of embedded)
      yield* storedText(write, space.id, text, {
        isCurrent: () => ((due.get(text.doc) as number | undefined) ?? 0) === text.version,
        whenStored: () => {
          done.run(text.doc)
          fresh.push(text)
        },
      })
  }

  /** If nothing is due, switches in one transaction: this space answers from now on, and the former one does not. */
  async #switch(space: Space): Promise<boolean> {
    if (this.#by.isClosed) return true
    const { write } = this.#by.store.raw
    const { passages } = await this.#by.ask<VectorStatus>({ do: 'status', space: space.id })
    let isThere = false
    await this.#by.write(
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
          .run(this.#by.now(), passages, space.id)
        isThere = true
      }),
    )
    if (!isThere) return false
    space.state = 'active'
    this.#foreign = undefined
    await this.#by.ask({ do: 'activate', space: space.id })
    await this.#by.forget('retired', 'openai')
    return true
  }

  /** Stores the current problem for commands and people. */
  async #note(): Promise<void> {
    const { problem = null, at = null, until = null } = this.provider.trouble ?? {}
    const { read, write } = this.#by.store.raw
    const previous = read
      .prepare("select problem, retry_at, asked_at from search_providers where provider = 'openai'")
      .get() as
      | { problem: string | null; retry_at: number | null; asked_at: number | null }
      | undefined
    if (
      previous &&
      problem === previous.problem &&
      until === previous.retry_at &&
      (problem !== null || previous.asked_at !== null)
    )
      return
    const askedAt = problem === null ? this.#by.now() : (previous?.asked_at ?? null)
    await this.#by.write(
      singleStep(() =>
        write
          .prepare(
            "update search_providers set problem = ?, problem_at = ?, retry_at = ?, asked_at = ? where provider = 'openai'",
          )
          .run(problem, at, until, askedAt),
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
    repeated(
      write.prepare(
        `delete from search_todo where provider = 'openai' and doc in (select doc from search_todo where provider = 'openai' limit ${maxDeleted})`,
      ),
    ),
  )
  await by.ask({ do: 'activate', space: null })
  await by.forget('retired', 'openai')
}
