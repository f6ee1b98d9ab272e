// The vectors that this program computes: for changed texts, and for a space rebuilt from all texts that replaces the
// active one.

import { newId } from '../kernel/ids.ts'
import type { EmbeddingStore } from './provider-space.ts'
import { type WriteSteps, singleStep } from './slices.ts'
import { toBuffer, prepareCached, storeText } from './stored-vectors.ts'
import type { TermRow } from './worker/embeddings.ts'
import type { EmbeddedText, VectorStatus } from './worker/protocol.ts'

/** Texts embedded in one batch, between which searches can run. */
const batchSize = 100
/** Minimum passages of a workspace for vectors that are adapted to its texts. */
const minPassages = 200
/** The space is rebuilt after the number of passages has grown or shrunk by this factor. */
const rebuildFactor = 1.2
/**
 * Version of the local embeddings: raised whenever the same text would get a different vector. A space of another
 * version is rebuilt.
 */
const embeddingVersion = '1'

interface ReembeddedBatch {
  embedded: EmbeddedText[]
  after: number | null
}

export class LocalSpace {
  readonly #embeddings: EmbeddingStore
  /** Texts that changed while another space is built: they must be embedded again in that space, too. */
  #touched: Set<number> | undefined

  constructor(by: EmbeddingStore) {
    this.#embeddings = by
  }

  /** Builds a new space from all texts while the active one stays in use, and then replaces it. */
  async rebuild(
    report: (done: number) => void = () => {},
  ): Promise<{ passages: number; terms: number }> {
    await this.#activeSpace() // a space for the vectors of texts that change meanwhile
    this.#touched = new Set()
    try {
      const last = this.#embeddings.store.raw.read
        .prepare('select coalesce(max(rowid_), 0) from search_docs')
        .pluck()
        .get() as number
      const passages = await this.#learn('count', last)
      await this.#learn('learn', last)
      const adapted = await this.#embeddings.ask<{ passages: number; terms: TermRow[] }>({
        do: 'adapt',
      })
      const space = await this.#begin(adapted.passages)
      await this.#embeddings.write(this.#storeTermsSteps(space, adapted.terms))
      await this.#embedAll(space, last, report)
      await this.#activate(space)
      await this.#embeddings.forget('retired', 'embedded')
      return { passages, terms: adapted.terms.length }
    } finally {
      this.#touched = undefined
    }
  }

  /** Feeds all texts to the space being built; returns their number of passages. */
  async #learn(pass: 'count' | 'learn', last: number): Promise<number> {
    let [after, passages]: [number | null, number] = [0, 0]
    do {
      const step: { after: number | null; passages: number } = await this.#embeddings.ask({
        do: pass,
        after,
        limit: batchSize,
      })
      ;[after, passages] = [step.after, passages + step.passages]
      await this.embedDue()
    } while (after !== null && after < last)
    return passages
  }

  /** Asks the process that maintains the vectors to rebuild the space at its next check. */
  async requestRebuild(): Promise<void> {
    const { raw, writer } = this.#embeddings.store
    await writer.run(
      async () =>
        void raw.write
          .prepare(
            "update search_spaces set fingerprint = '' where state = 'active' and provider = 'embedded'",
          )
          .run(),
    )
  }

  /** True if the space was built by another version, or a rebuild was requested. */
  isOutdated(): boolean {
    return (
      this.#embeddings.store.raw.read
        .prepare(
          "select 1 from search_spaces where state = 'active' and provider = 'embedded' and fingerprint <> ?",
        )
        .get(embeddingVersion) !== undefined
    )
  }

  #isDue(): boolean {
    return (
      prepareCached(
        this.#embeddings.store.raw.read,
        "select 1 from search_todo where provider = 'embedded' limit 1",
      ).get() !== undefined
    )
  }

  /** Computes some pending vectors; false if there are none. */
  async embedDue(): Promise<boolean> {
    if (!this.#isDue()) return false
    const space = await this.#activeSpace()
    const embedded = await this.#embeddings.ask<EmbeddedText[]>({ do: 'embed', limit: batchSize })
    await this.#embeddings.write(this.#storeSteps(space, embedded, true))
    for (const { doc } of embedded) this.#touched?.add(doc)
    await this.#embeddings.ask({ do: 'load', space, embedded })
    return embedded.length > 0
  }

  /** `isDue`: the texts are pending until the last of their vectors is written. */
  *#storeSteps(space: string, texts: readonly EmbeddedText[], isDue: boolean): WriteSteps {
    const { write } = this.#embeddings.store.raw
    const markDone = prepareCached(
      write,
      "delete from search_todo where doc = ? and provider = 'embedded' and version = ?",
    )
    for (const text of texts)
      yield* storeText(write, space, text, {
        whenStored: () => void (isDue && markDone.run(text.doc, text.version)),
      })
  }

  *#storeTermsSteps(space: string, terms: readonly TermRow[]): WriteSteps {
    const insert = this.#embeddings.store.raw.write.prepare(
      'insert into search_terms (space, stem, passages, vector, scale) values (?, ?, ?, ?, ?)',
    )
    for (const { stem, passages, bytes, scale } of terms)
      yield insert.run(space, stem, passages, bytes ? toBuffer(bytes) : null, scale)
  }

  /**
   * Computes vectors for all texts up to one in a new space; later texts are pending. Meanwhile, updates changed
   * texts in the active one.
   */
  async #embedAll(space: string, last: number, report: (done: number) => void): Promise<void> {
    let done = 0
    for (let after: number | null = 0; after !== null && after < last; ) {
      const { embedded, after: next }: ReembeddedBatch = await this.#embeddings.ask({
        do: 'reembed',
        after,
        limit: batchSize,
      })
      await this.#embeddings.write(this.#storeSteps(space, embedded, false))
      after = next
      report((done += embedded.length))
      await this.embedDue()
    }
  }

  /**
   * True if the number of texts has grown or shrunk considerably since the space was built, or a rebuild was
   * requested.
   */
  async needsRebuild(): Promise<boolean> {
    if (this.isOutdated()) return true
    const before = this.#embeddings.store.raw.read
      .prepare(
        "select passages from search_spaces where state = 'active' and provider = 'embedded'",
      )
      .pluck()
      .get() as number | undefined
    const { passages: now } = await this.#embeddings.ask<VectorStatus>({ do: 'status' })
    return (
      before !== undefined &&
      now >= minPassages &&
      (now > before * rebuildFactor || now * rebuildFactor < before)
    )
  }

  /** This program's space; before the first texts it contains only the words of the table. */
  async #activeSpace(): Promise<string> {
    const activeId = this.#embeddings.store.raw.read
      .prepare("select id from search_spaces where state = 'active' and provider = 'embedded'")
      .pluck()
      .get() as string | undefined
    if (activeId !== undefined) return activeId
    const newSpace = await this.#begin(0)
    await this.#activate(newSpace)
    return newSpace
  }

  async #begin(passages: number): Promise<string> {
    const id = newId('spc', this.#embeddings.now())
    await this.#embeddings.forget('building', 'embedded')
    const { write } = this.#embeddings.store.raw
    await this.#embeddings.write(
      singleStep(() =>
        write
          .prepare(
            "insert into search_spaces (id, provider, model, dimensions, fingerprint, passages, state, made_at) values (?, 'embedded', 'static-256', 256, ?, ?, 'building', ?)",
          )
          .run(id, embeddingVersion, passages, this.#embeddings.now()),
      ),
    )
    return id
  }

  /**
   * Marks texts changed meanwhile as due, then switches in one transaction: the new space becomes active, the
   * previous one of this program is retired.
   */
  async #activate(space: string): Promise<void> {
    const { write } = this.#embeddings.store.raw
    await this.#embeddings.write(this.#markTouchedDue())
    await this.#embeddings.write(
      singleStep(() => {
        write
          .prepare(
            "update search_spaces set state = 'retired' where state = 'active' and provider = 'embedded'",
          )
          .run()
        write
          .prepare("update search_spaces set state = 'active', active_at = ? where id = ?")
          .run(this.#embeddings.now(), space)
      }),
    )
    await this.#embeddings.ask({ do: 'activate', space })
  }

  *#markTouchedDue(): WriteSteps {
    const markDue = this.#embeddings.store.raw.write.prepare(
      "insert into search_todo (doc, provider, version) select ?, 'embedded', coalesce(max(version), 0) + 1 from search_todo where provider = 'embedded' on conflict (doc, provider) do nothing",
    )
    for (const doc of this.#touched ?? []) yield markDue.run(doc)
  }
}
