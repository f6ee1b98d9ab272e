import { createHash } from 'node:crypto'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { ActingKey } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { closedTo } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { isForResearch } from './presets.ts'
import { connectionScope, type ConnectionScope } from './scope.ts'
import { parseSelection, selectionText, type ConnectionRequest } from './selection.ts'

/** Tools that a connection lists and may call; the key's own policy is the upper bound. */
export interface Surface {
  /** Connections with the same text have the same list and the same instructions. */
  readonly id: string
  /** The tools of the list, in the order of the catalogue. */
  readonly listed: readonly Entry[]
  /** Entries that may be called, listed or not. */
  readonly open: readonly Entry[]
  /** Whether the list has call_tool. */
  readonly callsByName: boolean
  /** Whether everything that may be called reads. */
  readonly readOnly: boolean
  /** Whether the list has output schemas. */
  readonly outputSchemas: boolean
  /** Whether its tools have titles, icons, words to search by and every annotation. */
  readonly details: boolean
  /** Why this connection may not use an operation; undefined where it may, listed or not. */
  refusalFor(entry: Entry): Refusal | undefined
}

/**
 * The surface of a connection: what its address and headers leave of what the key may.
 * @throws Refusal invalid_argument for a selection that names what there is not
 */
export function surfaceOf(
  app: App,
  key: ActingKey | undefined,
  request: ConnectionRequest,
): Surface {
  const { scopes, ...shown } = cachedSurface(app, key, request)
  return { ...shown, refusalFor: (entry) => closedTo(key, entry) ?? scopeRefusalOf(scopes, entry) }
}

type Shown = Omit<Surface, 'refusalFor'> & { scopes: readonly ConnectionScope[] }

/** Surfaces by what was asked for and the policy of the key: a handful in normal use, and bounded against abuse. */
const surfaces = new WeakMap<App, BoundedMap<string, Shown>>()
const maxSurfaces = 128
const maxCachedLength = 2000

function cachedSurface(app: App, key: ActingKey | undefined, request: ConnectionRequest): Shown {
  const policy = key ? `${key.read_only} ${key.hold_outbound} ${key.toolsets?.join() ?? '*'}` : ''
  const text = `${policy} ${selectionText(request)}`
  const cache = surfaces.get(app) ?? new BoundedMap<string, Shown>(maxSurfaces)
  surfaces.set(app, cache)
  if (text.length > maxCachedLength) return buildSurface(app, key, request)
  return cache.useOrAdd(text, () => buildSurface(app, key, request))
}

function buildSurface(app: App, key: ActingKey | undefined, connection: ConnectionRequest): Shown {
  const {
    parts,
    outputSchemas = app.settings.mcp_output_schemas,
    details,
  } = parseSelection(connection)
  const scopes = parts.map((part) => connectionScope(app.catalogue, part, key))
  const presets = scopes.flatMap(({ preset }) =>
    preset === undefined || preset === 'all' ? [] : preset,
  )
  const callsByName = presets.length > 0 && presets.every((preset) => preset === 'compact')
  const open = app.catalogue.openTo(key).filter((entry) => !scopeRefusalOf(scopes, entry))
  const listed = open.filter(
    (entry) =>
      scopes.every((scope) => scope.lists(entry)) &&
      (!isForResearch(entry) || scopes.some((scope) => scope.requests(entry))),
  )
  const readOnly = open.every((entry) => entry.operation.kind === 'read')
  const names = (entries: readonly Entry[]) => entries.map((entry) => entry.operation.name).join()
  const id = createHash('sha256')
    .update([names(listed), names(open), callsByName, outputSchemas, details].join(' '))
    .digest('base64url')
    .slice(0, 22)
  return { id, listed, open, callsByName, readOnly, outputSchemas, details, scopes }
}

function scopeRefusalOf(scopes: readonly ConnectionScope[], entry: Entry): Refusal | undefined {
  for (const scope of scopes) {
    const refusal = scope.refusalFor(entry)
    if (refusal) return refusal
  }
  return undefined
}
