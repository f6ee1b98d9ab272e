import { currentItems } from '../../operations/approvals/items.ts'
import type { ReadContext } from '../../operations/context.ts'
import type { AccessScope } from '../../records/access-scope.ts'
import { ExtensionPoint } from '../../records/extension-point.ts'
import type { CoveredItem } from '../../records/resource-definition.ts'
import { type Row, resource } from '../../records/resource.ts'
import type { Ref } from '../../records/shapes.ts'

export { delegatesOf, keyNames, keysNamed, ownKeyIds } from './access-delegates.ts'

/** Automations whose runs made changes, by run: those visible to the reader. Registered by the automations module. */
export const automationsOfRuns = new ExtensionPoint<
  (ctx: ReadContext, runs: readonly string[]) => Promise<Map<string, Ref>>
>()

/** API keys: read-only, each person's own. `current` is the call's key. */
export const apiKey = resource('api_keys', {
  type: 'api_key',
  prefix: 'key',
  see: (s) => s.all.selectFrom('api_keys').where('api_keys.owner_id', '=', s.actor.id),
  alias: (query, text, s) =>
    text === 'current' && s.actor.key ? query.where('api_keys.id', '=', s.actor.key.id) : undefined,
  names: { columns: ['name'] },
  takes: 'id, name or current',
  list: { tool: 'list_api_keys' },
  title: (row) => row.name,
  path: () => 'settings/integrations/api-keys',
})

/** The call log: each person's own calls. */
export const apiCall = resource('calls', {
  type: 'api_call',
  prefix: 'clg',
  see: (s) => s.all.selectFrom('calls').where('calls.actor_id', '=', s.actor.id),
  title: (row) => row.tool,
  path: (row) => `activity/calls/${row.id}`,
  approval: { ignore: true, covers: itemsOfCall },
})

/** Approving the undo of a call covers the items it restores. */
function itemsOfCall({ items_json }: Row<'calls'>, scope: AccessScope): Promise<CoveredItem[]> {
  return currentItems(
    scope,
    (JSON.parse(items_json) as { id: string }[])
      .map((item) => item.id)
      .filter((id) => !id.startsWith('clg_')),
  )
}

/** Calls that wait or waited for a person: a key sees those it requested, a signed-in person all their own. */
export const approval = resource('approvals', {
  type: 'approval',
  prefix: 'apr',
  list: { tool: 'list_approvals' },
  see: (s) => {
    const ownApprovals = s.all.selectFrom('approvals').where('approvals.owner_id', '=', s.actor.id)
    return s.actor.key ? ownApprovals.where('approvals.key_id', '=', s.actor.key.id) : ownApprovals
  },
  title: (row) => row.tool,
  path: () => 'approvals',
})
