// Progress of embedding: for `workspace search status`, and for display to people.

import type Database from 'better-sqlite3'
import { quantity } from '../kernel/text/quantity.ts'
import { encoderModel } from './encoder/source.ts'

export interface SearchStatus {
  /** Model that answers semantic searches: that of a provider, or the built-in table. */
  answers: string
  embedded: { model: string; passages: number; due: number; active_at: number | null }
  /** undefined: none is configured. */
  provider: ProviderStatus | undefined
}

interface ProviderStatus {
  model: string
  /**
   * away: currently computes no vectors; building: some texts have none yet, and the program's own are used
   * meanwhile.
   */
  state: 'away' | 'building' | 'ready'
  /** Number of texts with its vectors, and of all texts. */
  done: number
  texts: number
  /** Texts that have changed since their vectors were computed. */
  due: number
  /** Why the provider computes no vectors, in words. */
  problem: string | null
  problem_at: number | null
  retry_at: number | null
}

interface SpaceRow {
  id: string
  model: string
  state: string
  passages: number
  active_at: number | null
}

/** Reads the status from the database, regardless of the process that computes the vectors. */
export function searchStatus(read: Database.Database): SearchStatus {
  const queryOne = <T>(query: string, ...params: unknown[]) =>
    read.prepare(query).get(...params) as T | undefined
  const count = (query: string, ...params: unknown[]) =>
    read
      .prepare(query)
      .pluck()
      .get(...params) as number
  const due = (provider: string) =>
    count('select count(*) from search_todo where provider = ?', provider)
  const ownSpace = queryOne<SpaceRow>(
    "select id, model, state, passages, active_at from search_spaces where provider = 'embedded' and state = 'active'",
  )
  const embedded = {
    model: ownSpace?.model ?? 'static-256',
    passages: ownSpace
      ? count('select count(*) from search_vectors where space = ?', ownSpace.id)
      : 0,
    due: due('embedded'),
    active_at: ownSpace?.active_at ?? null,
  }
  const row = queryOne<Omit<ProviderStatus, 'state' | 'done' | 'texts' | 'due'>>(
    'select model, problem, problem_at, retry_at from search_providers',
  )
  if (!row) return { answers: embedded.model, embedded, provider: undefined }
  const spaces = read
    .prepare(
      "select id, model, state, passages, active_at from search_spaces where provider = 'openai' and state <> 'retired' order by state desc",
    )
    .all() as SpaceRow[]
  const space = spaces[0] // the space being built takes precedence over the active one
  const done = space
    ? count('select count(distinct doc) from search_vectors where space = ?', space.id)
    : 0
  const readiness = space?.state === 'active' ? 'ready' : 'building'
  const state = row.problem === null ? readiness : 'away'
  return {
    answers: state === 'ready' ? row.model : embedded.model,
    embedded,
    provider: {
      ...row,
      state,
      done,
      texts: count('select count(*) from search_docs'),
      due: due('openai'),
    },
  }
}

/** Describes the status in sentences, one per line. */
export function describeStatus({ embedded, provider }: SearchStatus): string[] {
  const describeDue = (due: number) =>
    due === 0 ? 'up to date' : quantity(due, 'text waits', 'texts wait')
  const lines = [
    `Local vectors (${embedded.model}): ${quantity(embedded.passages, 'passage')}, ${describeDue(embedded.due)}.`,
  ]
  if (!provider)
    return [...lines, 'No model computes further vectors: nothing leaves this machine.']
  const description = {
    ready: 'answers',
    building: 'building; local vectors answer meanwhile',
    away: 'computing no vectors right now; local ones answer',
  }[provider.state]
  lines.push(
    `${describeModel(provider.model)}: ${description}; ${provider.done} of ${quantity(provider.texts, 'text')}, ${describeDue(provider.due)}.`,
  )
  if (provider.problem !== null)
    lines.push(
      `${provider.problem}${provider.retry_at === null ? '' : ` It is asked again at ${new Date(provider.retry_at).toISOString()}.`}`,
    )
  return lines
}

function describeModel(model: string): string {
  return model === encoderModel ? `Built-in encoder (${model})` : `Provider (${model})`
}
