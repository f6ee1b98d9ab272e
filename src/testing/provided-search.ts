import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Settings } from '../config/settings.ts'
import { parseQuery } from '../search/query.ts'
import { searchStatus } from '../search/status.ts'
import type { SearchRequest } from '../search/worker/protocol.ts'
import { openProvided, type Provided } from './search-provider.ts'
import {
  startEmbeddings,
  type EmbeddingsOptions,
  type EmbeddingsServer,
} from './servers/embeddings.ts'

/** A search with vectors from an embeddings server, its settings and a manual clock. */
export interface ProvidedHouse extends Provided {
  server: EmbeddingsServer
  clock: { at: number }
  settings: Partial<Settings>
  /** Changes settings of the running search. */
  change(more: Partial<Settings>): void
  dir: string
}

/** A folder removed after the test. */
export function searchFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'provided-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A search with an embeddings server, both closed after the test. */
export async function searchHouse(
  t: TestContext,
  options: EmbeddingsOptions = {},
  more: Partial<Settings> = {},
  env: NodeJS.ProcessEnv = {},
): Promise<ProvidedHouse> {
  const server = await startEmbeddings(options)
  const dir = searchFolder(t)
  const settings = {
    embeddings_url: server.url,
    embeddings_model: 'test-embed',
    outbound_allow: server.opening,
    embeddings_query_timeout: 60_000,
    ...more,
  }
  const clock = { at: 1_800_000_000_000 }
  const opened = openProvided(dir, settings, () => clock.at, env)
  t.after(async () => {
    await opened.close()
    await server.close()
  })
  const change = (changes: Partial<Settings>) => void Object.assign(settings, changes)
  return { ...opened, server, clock, settings, change, dir }
}

/** Searches a folder; returns the model of the vectors used, and the ids found, best first. */
export async function askSearch(
  { engine }: Provided,
  text: string,
  mode: SearchRequest['mode'] = 'semantic',
) {
  const looked = await engine.search({
    query: parseQuery(text),
    mode,
    scope: { containers: ['one'], types: ['page'] },
  })
  const { hits } = await engine.rank(looked.id, {
    allowed: looked.candidates.map((candidate) => candidate.item_id),
    links: [],
    limit: 10,
  })
  return { model: looked.model, pending: looked.pending, ids: hits.map((hit) => hit.item_id) }
}

/** The existing vector spaces. */
export const searchSpaces = ({ store }: Provided) =>
  store.raw.read
    .prepare('select provider, state, dimensions from search_spaces order by provider, state')
    .all()
/** Counts the texts that have a vector of the provider. */
export const providerVectors = ({ store }: Provided) =>
  store.raw.read
    .prepare(
      "select count(distinct v.doc) from search_vectors as v join search_spaces as s on s.id = v.space where s.provider = 'openai'",
    )
    .pluck()
    .get()
export const searchStanding = ({ store }: Provided) => searchStatus(store.raw.read)

/** Runs the search maintenance until nothing is left. */
export async function tendSearch({ engine }: Provided) {
  await engine.maintain()
  await engine.maintainProvider()
}
