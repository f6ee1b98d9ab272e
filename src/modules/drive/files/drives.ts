import { account } from '../../accounts/access.ts'
import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { pageOf, paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf } from '../../../records/shapes.ts'
import { drive } from '../access.ts'
import { usedBytesOf } from './access-tree.ts'
import { Drive } from '../shapes.ts'

export const listDrives = operation({
  name: 'list_drives',
  searchHint: 'storage left, quota, google drive',
  kind: 'read',
  rest: 'GET /api/drives',
  about: "The built-in drive and the key owner's connected Google drives with use and quota",
  on: { account: account.see.maybe.describe('only the drives of this connected account') },
  input: { ...paging },
  output: pageOf(Drive),
  async handle({ account, limit, cursor }, ctx) {
    const query = account
      ? drive.visibleTo(ctx).where('drives.account_id', '=', account.id)
      : drive.visibleTo(ctx)
    const page = await paged(
      query.selectAll('drives'),
      [{ by: 'drives.id', as: 'id', dir: 'asc' }],
      { limit, cursor },
    )
    return pageWithItems(page, await presentDrives(ctx, page.items))
  },
})

export async function presentDrives(
  ctx: ReadContext,
  rows: readonly Row<'drives'>[],
): Promise<z.infer<typeof Drive>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const accounts = await account.among(
    ctx,
    rows.flatMap((row) => row.account_id ?? []),
  )
  const quota = ctx.settings.drive_quota_megabytes * 2 ** 20
  return Promise.all(
    rows.map(async (row) => {
      const accountRow = row.account_id === null ? undefined : accounts.get(row.account_id)
      const quotaBytes =
        row.kind === 'builtin' ? quota || undefined : (row.quota_bytes ?? undefined)
      return {
        ...commonOf(row, drive.url(row, ctx.baseUrl), people),
        kind: row.kind,
        name: row.name,
        ...(accountRow ? { account: accountRow.address } : {}),
        used_bytes:
          row.kind === 'builtin' ? await usedBytesOf(ctx, row.owner_id) : (row.used_bytes ?? 0),
        ...(quotaBytes === undefined ? {} : { quota_bytes: quotaBytes }),
        status:
          accountRow && ['reauth_required', 'disabled'].includes(accountRow.status)
            ? 'reauth_required'
            : 'active',
        root_folder_id: row.root_folder_id,
      } as const
    }),
  )
}
