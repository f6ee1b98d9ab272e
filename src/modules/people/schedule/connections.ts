import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { calendar } from '../../calendar/access.ts'
import { drive } from '../../drive/access.ts'
import type { EmailAccount } from '../../email/shapes.ts'

export interface Connected {
  mail: z.infer<typeof EmailAccount>[]
  calendars: number
  drives: number
}

/** Reports the mail, calendars and files that the caller has connected, as far as their key permits. */
export async function connectedAccounts(ctx: ReadContext): Promise<Connected> {
  return {
    mail: mayCall(ctx, 'list_email_accounts')
      ? (
          await ctx.call<{ items: z.infer<typeof EmailAccount>[] }>('list_email_accounts', {
            limit: 100,
          })
        ).items
      : [],
    calendars: mayCall(ctx, 'list_calendars')
      ? await readCount(
          calendar.visibleTo(ctx).select((eb) => eb.fn.countAll<number>().as('count')),
        )
      : 0,
    drives: mayCall(ctx, 'list_drives')
      ? await readCount(drive.visibleTo(ctx).select((eb) => eb.fn.countAll<number>().as('count')))
      : 0,
  }
}

function mayCall(ctx: ReadContext, operation: string): boolean {
  const entry = ctx.catalogue.find(operation)
  return entry !== undefined && ctx.refusalFor(entry) === undefined
}

async function readCount(query: {
  executeTakeFirstOrThrow(): Promise<{ count: number }>
}): Promise<number> {
  return (await query.executeTakeFirstOrThrow()).count
}
