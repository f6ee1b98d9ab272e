import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Actor } from '../kernel/actor.ts'

const scopes = Symbol('scope')

/**
 * The person who reads: the part of a context that a resource needs. It carries whole tables, but exposes them to no
 * one.
 */
export interface Viewer {
  readonly [scopes]: AccessScope
}

/**
 * Whole tables, unfiltered. Only access.ts, ingest and sync files, core, search and db may import from this file
 * (enforced by imports.test.ts); all others use a resource.
 */
export interface AccessScope extends Viewer {
  readonly all: Kysely<Tables>
  readonly actor: Actor
  /** Time of the call in milliseconds. */
  readonly now: number
  /** True: rows in the trash count as visible. */
  readonly trash: boolean
  /**
   * Base URL of the instance, for arguments that are its own addresses; undefined:
   * addresses are not accepted.
   */
  readonly baseUrl: string | undefined
}

export function accessScope(options: {
  all: Kysely<Tables>
  actor: Actor
  now: number
  trash?: boolean
  baseUrl?: string | undefined
}): AccessScope {
  const scope = { trash: false, baseUrl: undefined, ...options } as AccessScope & {
    [scopes]: AccessScope
  }
  Object.defineProperty(scope, scopes, { value: scope })
  return scope
}

/** A viewer that reads only through the given scope. */
export function viewerOf(through: AccessScope): Viewer {
  return { [scopes]: through }
}

export function accessScopeOf(viewer: Viewer): AccessScope {
  return viewer[scopes]
}

/** The same scope, including the trash. */
export function withTrash(reader: Viewer): AccessScope {
  const { all, actor, now, baseUrl } = accessScopeOf(reader)
  return accessScope({ all, actor, now, baseUrl, trash: true })
}
