import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import type { Ref } from '../../../records/shapes.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { automationsOfRuns, keyNames } from '../access.ts'

/** Columns that identify the author of a change. */
export type ChangeAuthor = Pick<Row<'changes'>, 'actor_id' | 'key_id' | 'run_id' | 'call_id'>

/** Origin of a change besides its actor, as far as the reader may know it. */
export interface Origin {
  /** Key that made it, and its owner. Its name is shown to its owner and to administrators. */
  key?: { title?: string; owner: Ref }
  automation?: Ref
  /** Call that made it, if the reader's own; for undo_api_call. */
  call_id?: string
}

/** Origins of changes, as far as visible to the reader, in order. */
export async function originsOf(
  ctx: ReadContext,
  changes: readonly ChangeAuthor[],
): Promise<Origin[]> {
  const byKey = changes.filter((change) => change.key_id !== null)
  const names = await keyNames(
    ctx,
    byKey.flatMap((change) => change.key_id ?? []),
  )
  const owners = await peopleRefs(ctx, [...new Set(byKey.map((change) => change.actor_id))])
  const automations = await automationsOfChanges(ctx, changes)
  return changes.map(({ actor_id, key_id, run_id, call_id }) =>
    omitNullish({
      key:
        key_id === null
          ? undefined
          : omitNullish({
              title: names.get(key_id),
              owner: owners.get(actor_id) ?? { id: actor_id, title: '' },
            }),
      automation: run_id === null ? undefined : automations.get(run_id),
      call_id: actor_id === ctx.actor.id ? call_id : undefined,
    }),
  )
}

/** Automations whose runs made changes, by run; those visible to the reader. */
export async function automationsOfChanges(
  ctx: ReadContext,
  changes: readonly Pick<ChangeAuthor, 'run_id'>[],
): Promise<Map<string, Ref>> {
  const runs = changes.flatMap((change) => change.run_id ?? [])
  const automationByRun = new Map<string, Ref>()
  if (runs.length === 0) return automationByRun
  for (const find of automationsOfRuns.entries)
    for (const [run, automation] of await find(ctx, runs)) automationByRun.set(run, automation)
  return automationByRun
}
