// The catalogue of triggers and actions for automations.

import { useMemo } from 'react'
import type { Output } from '../../../../api/client.ts'
import { useOperation } from '../../../../api/queries.ts'
import { useAllItems } from '../../../settings/shared/lists.ts'

export type CatalogEntry = Output<'list_automation_catalog'>['items'][number]

/** Milliseconds for which a part of the catalogue stays fresh: it changes with the server's version only. */
export const staleTime = 3_600_000

/** The names of all events, such as `task.created`; empty until loaded. */
export function useEventNames(): readonly string[] {
  const triggers = useAllItems('list_automation_catalog', { kind: 'trigger' })
  return (triggers.data ?? []).flatMap(({ event }) => event ?? [])
}

/** Actions with the typed text in their name or summary, most common first. */
export function useActions(query: string): readonly CatalogEntry[] {
  const input = {
    kind: 'action' as const,
    limit: 50,
    ...(query.trim() === '' ? {} : { query: query.trim().replaceAll('_', ' ') }),
  }
  return useOperation('list_automation_catalog', input, { staleTime }).data?.items ?? []
}

/** An action with its fields; undefined until loaded, or if it does not exist. */
export function useAction(type: string): CatalogEntry | undefined {
  const catalog = useAllItems('list_automation_catalog', { kind: 'action', type }, { staleTime })
  return useMemo(() => mergeEntryPages(catalog.data ?? []), [catalog.data])
}

/** Merges a part whose fields came on several pages; undefined if it does not exist. */
export function mergeEntryPages(parts: readonly CatalogEntry[]): CatalogEntry | undefined {
  const [first, ...rest] = parts
  if (!first) return undefined
  const params = rest.reduce(
    (all, { params: next = {} }) => mergeSchemas(all, next),
    first.params ?? {},
  )
  return { ...first, params }
}

type Schema = Record<string, unknown>

function mergeSchemas(left: Schema, right: Schema): Schema {
  const result: Schema = { ...left, ...right }
  if (isSchema(left.items) && isSchema(right.items))
    result.items = mergeSchemas(left.items, right.items)
  if (!isSchema(left.properties) || !isSchema(right.properties)) return result
  const properties: Schema = { ...left.properties }
  for (const [name, property] of Object.entries(right.properties)) {
    const existing = properties[name]
    properties[name] =
      isSchema(existing) && isSchema(property) ? mergeSchemas(existing, property) : property
  }
  return { ...result, properties }
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
