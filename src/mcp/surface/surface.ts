import { createHash } from 'node:crypto'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { ActingKey } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { keyRefusal } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { isForResearch } from './presets.ts'
import { connectionScope, type ConnectionScope } from './scope.ts'
import { parseSelection, selectionText, type ConnectionRequest } from './selection.ts'

/** Tools that a connection lists and may call; the key's own policy is the upper bound. */
export interface Surface {
  /** Connections with the same text share list and instructions. */
  readonly id: string
  /** Listed tools, in catalogue order. */
  readonly listed: readonly Entry[]
  /** Entries that may be called, listed or not. */
  readonly callable: readonly Entry[]
  /** Whether the list has call_tool. */
  readonly hasCallTool: boolean
  /** Whether all callable tools are read-only. */
  readonly readOnly: boolean
  /** Whether the list has output schemas. */
  readonly outputSchemas: boolean
  /** Whether listed tools have titles, icons, search words and all annotations. */
  readonly details: boolean
  /** The refusal of an operation for this connection; undefined if it is allowed, listed or not. */
  refusalFor(entry: Entry): Refusal | undefined
}

/**
 * The surface of a connection: the key's rights narrowed by address and headers.
 * @throws Refusal invalid_argument for a selection with unknown names
 */
export function surfaceOf(
  app: App,
  key: ActingKey | undefined,
  request: ConnectionRequest,
): Surface {
  const { scopes, ...shown } = cachedSurface(app, key, request)
  return {
    ...shown,
    refusalFor: (entry) => keyRefusal(key, entry) ?? scopeRefusalOf(scopes, entry),
  }
}

type CachedSurface = Omit<Surface, 'refusalFor'> & { scopes: readonly ConnectionScope[] }

/** Surfaces by selection and key policy: a handful in normal use, and limited against abuse. */
const surfaces = new WeakMap<App, BoundedMap<string, CachedSurface>>()
const maxSurfaces = 128
const maxCachedLength = 2000

function cachedSurface(
  app: App,
  key: ActingKey | undefined,
  request: ConnectionRequest,
): CachedSurface {
  const policy = key ? `${key.read_only} ${key.hold_outbound} ${key.toolsets?.join() ?? '*'}` : ''
  const text = `${policy} ${selectionText(request)}`
  const cache = surfaces.get(app) ?? new BoundedMap<string, CachedSurface>(maxSurfaces)
  surfaces.set(app, cache)
  if (text.length > maxCachedLength) return buildSurface(app, key, request)
  return cache.useOrAdd(text, () => buildSurface(app, key, request))
}

function buildSurface(
  app: App,
  key: ActingKey | undefined,
  connection: ConnectionRequest,
): CachedSurface {
  const {
    parts,
    outputSchemas = app.settings.mcp_output_schemas,
    details,
  } = parseSelection(connection)
  const scopes = parts.map((part) => connectionScope(app.catalogue, part, key))
  const presets = scopes.flatMap(({ preset }) =>
    preset === undefined || preset === 'all' ? [] : preset,
  )
  const hasCallTool = presets.length > 0 && presets.every((preset) => preset === 'compact')
  const callable = app.catalogue.openTo(key).filter((entry) => !scopeRefusalOf(scopes, entry))
  const listed = callable.filter(
    (entry) =>
      scopes.every((scope) => scope.lists(entry)) &&
      (!isForResearch(entry) || scopes.some((scope) => scope.requests(entry))),
  )
  const readOnly = callable.every((entry) => entry.operation.kind === 'read')
  const names = (entries: readonly Entry[]) => entries.map((entry) => entry.operation.name).join()
  const id = createHash('sha256')
    .update([names(listed), names(callable), hasCallTool, outputSchemas, details].join(' '))
    .digest('base64url')
    .slice(0, 22)
  return {
    id,
    listed,
    callable,
    hasCallTool,
    readOnly,
    outputSchemas,
    details,
    scopes,
  }
}

function scopeRefusalOf(scopes: readonly ConnectionScope[], entry: Entry): Refusal | undefined {
  for (const scope of scopes) {
    const refusal = scope.refusalFor(entry)
    if (refusal) return refusal
  }
  return undefined
}
