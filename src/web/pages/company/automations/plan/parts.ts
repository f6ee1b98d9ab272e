// The catalogue of triggers and actions for automations.

import { useMemo } from 'react'
import type { Output } from '../../../../api/client.ts'
import { useOperation } from '../../../../api/queries.ts'
import { useAllItems } from '../../../settings/shared/lists.ts'

export type Part = Output<'list_automation_catalog'>['items'][number]

/** Milliseconds for which a part of the catalogue stays fresh: it changes with the server's version only. */
export const staleTime = 3_600_000

/** The names of all events, such as `task.created`; empty until loaded. */
export function useEventNames(): readonly string[] {
  const triggers = useAllItems('list_automation_catalog', { kind: 'trigger' })
  return (triggers.data ?? []).flatMap(({ event }) => event ?? [])
}

/** Actions with the typed text in their name or summary, most common first. */
export function useActions(query: string): readonly Part[] {
  const input = {
    kind: 'action' as const,
    limit: 50,
    ...(query.trim() === '' ? {} : { query: query.trim().replaceAll('_', ' ') }),
  }
  return useOperation('list_automation_catalog', input, { staleTime }).data?.items ?? []
}

/** An action with its fields; undefined until loaded, or if it does not exist. */
export function useAction(type: string): Part | undefined {
  const catalog = useAllItems('list_automation_catalog', { kind: 'action', type }, { staleTime })
  return useMemo(() => wholePart(catalog.data ?? []), [catalog.data])
}

/** Merges a part whose fields came on several pages; undefined if it does not exist. */
export function wholePart(parts: readonly Part[]): Part | undefined {
  const [first, ...more] = parts
  if (!first) return undefined
  const params = more.reduce((all, { params: next = {} }) => merged(all, next), first.params ?? {})
  return { ...first, params }
}

type Schema = Record<string, unknown>

function merged(one: Schema, other: Schema): Schema {
  const both: Schema = { ...one, ...other }
  if (isSchema(one.items) && isSchema(other.items)) both.items = merged(one.items, other.items)
  if (!isSchema(one.properties) || !isSchema(other.properties)) return both
  const properties: Schema = { ...one.properties }
  for (const [name, property] of Object.entries(other.properties)) {
    const existing = properties[name]
    properties[name] =
      isSchema(existing) && isSchema(property) ? merged(existing, property) : property
  }
  return { ...both, properties }
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
