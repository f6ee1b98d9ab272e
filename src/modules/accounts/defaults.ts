import type { WriteContext } from '../../operations/context.ts'
import { account, reachableStatuses, type AccountRow } from './access.ts'

type DefaultsContext = Pick<WriteContext, 'change'> & Parameters<typeof account.visibleTo>[0]

/** Whether an account may be the default sender. */
const isUsable = (row: AccountRow) => row.has_mail === 1 && row.status !== 'disabled'

/**
 * Keeps a default among the caller's enabled mail accounts: the current one if possible, else the first reachable
 * one. Called after accounts are added, removed or switched.
 */
export async function ensureDefaultAccount(ctx: DefaultsContext): Promise<void> {
  const rows = await account.visibleTo(ctx).selectAll('accounts').orderBy('accounts.id').execute()
  const usable = rows.filter(isUsable)
  const isReachable = (row: AccountRow) =>
    (reachableStatuses as readonly string[]).includes(row.status)
  const wanted = usable.find((row) => row.is_default === 1) ?? usable.find(isReachable) ?? usable[0]
  for (const row of rows) {
    const is_default = row.id === wanted?.id ? 1 : 0
    if (row.is_default !== is_default) await ctx.change('accounts', row, { is_default })
  }
}
