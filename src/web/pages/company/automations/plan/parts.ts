// The catalogue of triggers and actions that automations are built from.

import type { Output } from '../../../../api/client.ts'
import { useOperation } from '../../../../api/queries.ts'
import { useWhole } from '../../../settings/shared/lists.ts'

export type Part = Output<'list_automation_catalog'>['items'][number]

const staleTime = 3_600_000

/** The names of all events, such as `task.created`; empty until they were read. */
export function useEventNames(): readonly string[] {
  const triggers = useWhole('list_automation_catalog', { kind: 'trigger' })
  return (triggers.data ?? []).flatMap(({ event }) => event ?? [])
}

/** The actions that have what was typed in their name or summary, the best known first. */
export function useActions(query: string): readonly Part[] {
  const input = {
    kind: 'action' as const,
    limit: 50,
    ...(query.trim() === '' ? {} : { query: query.trim().replaceAll('_', ' ') }),
  }
  return useOperation('list_automation_catalog', input, { staleTime }).data?.items ?? []
}

/** An action with what it takes; undefined until it was read, or where there is none. */
export function useAction(type: string): Part | undefined {
  const catalog = useOperation('list_automation_catalog', { kind: 'action', type }, { staleTime })
  return catalog.data?.items[0]
}
