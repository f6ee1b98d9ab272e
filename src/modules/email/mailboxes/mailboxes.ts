import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { pageOf, paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import {
  cut,
  decodeCursor,
  encodeCursor,
  badCursor,
  paged,
  pageWithItems,
} from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { account, mailAccount } from '../../accounts/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf } from '../../../records/shapes.ts'
import { mailCountsOf, placesOf } from '../messages/access-lists.ts'
import { EmailAccount, EmailLabel } from '../shapes.ts'

const accountOrder = [
  { by: 'accounts.is_default', as: 'is_default', dir: 'desc' },
  { by: 'accounts.id', as: 'id', dir: 'asc' },
] as const

/** Accounts of the caller that are used for mail. */
function visibleMailboxes(ctx: ReadContext) {
  return account
    .visibleTo(ctx)
    .where('accounts.has_mail', '=', 1)
    .where('accounts.provider', 'in', ['google', 'imap'])
}

export const listEmailAccounts = operation({
  name: 'list_email_accounts',
  searchHint: 'mailboxes, is my mail connected, gmail, imap, sync problem',
  kind: 'read',
  rest: 'GET /api/email-accounts',
  about:
    "The key owner's connected Google and IMAP mailboxes with sync state, unread and awaiting-reply counts",
  input: { provider: z.enum(['google', 'imap']).optional(), ...paging },
  output: pageOf(EmailAccount),
  async handle({ provider, limit, cursor }, ctx) {
    const query = visibleMailboxes(ctx)
    const page = await paged(
      (provider ? query.where('accounts.provider', '=', provider) : query).selectAll('accounts'),
      accountOrder,
      { limit, cursor },
    )
    return pageWithItems(page, await presentAccounts(ctx, page.items))
  },
})

/** Presents mailboxes. The caller must have access to the rows. */
export async function presentAccounts(
  ctx: ReadContext,
  rows: readonly Row<'accounts'>[],
): Promise<z.infer<typeof EmailAccount>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const mailCounts = await mailCountsOf(
    ctx,
    rows.map((row) => row.id),
  )
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, account.url(row, ctx.baseUrl), people),
      provider: row.provider as 'google' | 'imap',
      address: row.address,
      display_name: row.display_name,
      status: row.status,
      problem: row.problem,
      last_sync_at: row.last_sync_at === null ? undefined : iso(row.last_sync_at),
      synced_back_to: row.synced_back_to,
      ...mailCounts.get(row.id)!,
      signature_markdown: row.signature_markdown,
      default: row.is_default === 1,
    }),
  )
}

export const listEmailLabels = operation({
  name: 'list_email_labels',
  searchHint: 'mail folders, mailboxes, unread counts',
  kind: 'read',
  rest: 'GET /api/email-labels',
  about: 'Folders and labels of own mailboxes with counts',
  on: { account: mailAccount.maybe },
  input: paging,
  output: pageOf(EmailLabel),
  async handle({ account, limit, cursor }, ctx) {
    const accounts = account
      ? [account.id]
      : (await visibleMailboxes(ctx).select('accounts.id').orderBy('accounts.id').execute()).map(
          (row) => row.id,
        )
    const all = await placesOf(ctx, accounts)
    const remaining = cursor === undefined ? all : mailboxesAfter(all, decodeCursor(cursor))
    return cut(remaining.slice(0, limit + 1), limit, (last) =>
      encodeCursor([last.account_id, last.kind, last.name]),
    )
  },
})

/** Entries after the one that a cursor names; if it no longer exists, all later kinds of its account. */
function mailboxesAfter(
  all: Awaited<ReturnType<typeof placesOf>>,
  [account_id, kind, name, ...more]: (string | number | null)[],
) {
  if (
    typeof account_id !== 'string' ||
    typeof kind !== 'string' ||
    typeof name !== 'string' ||
    more.length > 0
  )
    throw badCursor()
  const at = all.findIndex(
    (entry) => entry.account_id === account_id && entry.kind === kind && entry.name === name,
  )
  const after =
    at >= 0
      ? at
      : all.findLastIndex(
          (counted) =>
            counted.account_id === account_id && counted.kind === kind && counted.name < name,
        )
  return all.slice(after + 1)
}
