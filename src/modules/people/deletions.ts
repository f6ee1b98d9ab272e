import type { z } from 'zod'
import type { ReadContext } from '../../core/context.ts'
import type { ItemRef as Reference } from '../../core/resource.ts'
import type { DeletedRef } from '../../core/shapes.ts'
import { dayLength, iso } from '../../core/times.ts'
import { trashDaysOf } from './access.ts'

/** For items that go to the trash; `erased: true` for what is gone at once (comments, links, memberships). */
export async function deletedRef(
  ctx: ReadContext,
  item: Reference,
  also: { type: string; count: number }[] = [],
  options: { erased?: boolean } = {},
): Promise<z.infer<typeof DeletedRef>> {
  return {
    item,
    also_deleted: also,
    ...(options.erased
      ? {}
      : { restorable_until: iso(ctx.now + (await trashDaysOf(ctx)) * dayLength) }),
    dry_run: ctx.dryRun,
    ...(ctx.dryRun ? {} : { undo_call_id: ctx.callId }),
  }
}
