import { z } from 'zod'
import type { ReadContext } from '../../core/context.ts'
import { moment } from '../../core/fields.ts'
import type { ItemRef as Reference } from '../../core/resource.ts'
import { iso } from '../../core/times.ts'
import { ItemRef } from '../people/shapes.ts'

/** What a deletion answers: where the item went, what went along, how it comes back. */
export const DeletedRef = z.strictObject({
  item: ItemRef,
  also_deleted: z.array(z.strictObject({ type: z.string(), count: z.int() })),
  restorable_until: moment().optional(),
  dry_run: z.boolean(),
  undo_call_id: z.string().optional(),
})

const dayLength = 24 * 3600 * 1000

/** For items that go to the trash; `erased: true` for what is gone at once (comments, links, memberships). */
export function deletedRef(ctx: ReadContext, item: Reference, also: { type: string; count: number }[] = [], options: { erased?: boolean; trashDays?: number } = {}): z.infer<typeof DeletedRef> {
  const days = options.trashDays ?? 30
  return {
    item,
    also_deleted: also,
    ...(options.erased ? {} : { restorable_until: iso(ctx.now + days * dayLength) }),
    dry_run: ctx.dryRun,
    ...(ctx.dryRun ? {} : { undo_call_id: ctx.callId }),
  }
}

/** What a call on several items answers. */
export const BulkResult = z.strictObject({
  requested: z.int(),
  matched: z.int(),
  changed: z.int(),
  skipped: z.array(z.strictObject({ id: z.string(), reason: z.string() })),
  failed: z.array(z.strictObject({ id: z.string(), code: z.string(), message: z.string() })),
  items: z.array(ItemRef),
  dry_run: z.boolean(),
  undo_call_id: z.string().optional(),
})
