import type { Id } from '../../kernel/ids.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import type { ItemRef, Row } from '../../records/resource.ts'
import type { DeletedRef, Ref } from '../../records/shapes.ts'
import type { Viewer } from '../../records/access-scope.ts'
import { dayLength, iso } from '../../kernel/time/times.ts'
import { person, trashDaysOf } from './access.ts'

export const workingHours = z.partialRecord(
  z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
  z
    .array(
      z.strictObject({
        from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
        to: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/),
      }),
    )
    .max(4),
)

/** References to people of the caller's organization, by id. Ignores undefined and null ids. */
export async function peopleRefs(
  ctx: Viewer,
  ids: Iterable<string | null | undefined>,
): Promise<Map<string, Ref>> {
  const wanted = [...new Set([...ids].filter((id) => id != null))]
  if (wanted.length === 0) return new Map()
  const rows = await person
    .visibleTo(ctx)
    .select(['users.id', 'users.display_name'])
    .where('users.id', 'in', wanted as Id<'users'>[])
    .execute()
  return new Map(rows.map((row) => [row.id, { id: row.id, title: row.display_name }]))
}

export function personRef(row: Row<'users'>): Ref {
  return { id: row.id, title: row.display_name }
}

/** The result of a deletion; `erased: true` for items removed at once, without the trash (comments, links, members). */
export async function deletedRef(
  ctx: ReadContext,
  item: ItemRef,
  also: { type: string; count: number }[] = [],
  options: { erased?: boolean } = {},
): Promise<z.infer<typeof DeletedRef>> {
  return omitNullish({
    item,
    also_deleted: also,
    restorable_until: options.erased
      ? undefined
      : iso(ctx.now + (await trashDaysOf(ctx)) * dayLength),
    dry_run: ctx.dryRun,
    undo_call_id: ctx.dryRun ? undefined : ctx.callId,
  })
}

export {
  handoverKinds,
  handovers,
  type Handover,
  type HandoverKind,
  type HandoverItem,
} from './handovers.ts'
