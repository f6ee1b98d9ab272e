import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { shortText } from '../../../kernel/fields.ts'
import { oneLine } from '../../../kernel/text/markdown.ts'
import { operation } from '../../../operations/operation.ts'
import { denied, invalid, notFound } from '../../../kernel/refusal.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { page, pageShare, shareRoles } from '../access.ts'
import { changeAccess } from './readers.ts'
import { Share, sharesOf, presentShares } from '../shapes.ts'

export const sharePage = operation({
  name: 'share_page',
  searchHint: 'give access to a doc, let someone edit a page, share a note',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/pages/{page_id}/shares/{person_id}',
  about: 'Let a colleague view, comment or edit a page and its children',
  on: { page: page.own, person: person.see },
  input: {
    role: z.enum(shareRoles),
    note: shortText(2000).optional().describe('sent to the person'),
  },
  output: Share,
  async handle({ page: row, person: recipient, role, note }, ctx) {
    if (recipient.id === row.owner_id)
      throw invalid('person_id', 'the page owner already has full access.')
    if (recipient.status !== 'active')
      throw invalid('person_id', `${recipient.display_name} is not active in the organization.`)
    const existing = await pageShare
      .of(ctx, [row.id])
      .selectAll('page_shares')
      .where('page_shares.person_id', '=', recipient.id)
      .executeTakeFirst()
    const shareFields = omitNullish({ role, note })
    const { result: share } = await changeAccess(ctx, row, () =>
      existing
        ? ctx.change('page_shares', existing, shareFields)
        : ctx.add('page_shares', { page_id: row.id, person_id: recipient.id, ...shareFields }),
    )
    if (!existing || share.revision !== existing.revision) {
      ctx.event('page.shared', 'pages', row)
      const noteText = note === undefined || note.trim() === '' ? '' : `: ${oneLine(note)}`
      ctx.notify(
        'share',
        [recipient.id],
        'pages',
        row,
        `${ctx.actor.display_name} shared the page “${row.title}” with you${noteText}`,
      )
    }
    return (await presentShares(ctx, row, [share]))[0]!
  },
})

export const unsharePage = operation({
  name: 'unshare_page',
  searchHint: 'stop sharing, take access to a doc away',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/pages/{page_id}/shares/{person_id}',
  about: "Remove a colleague's access to a page",
  on: { page: page.see, person: person.see.describe('you can always remove yourself') },
  output: DeletedRef,
  async handle({ page: row, person: recipient }, ctx) {
    if (recipient.id !== ctx.actor.id && row.owner_id !== ctx.actor.id)
      throw denied('Only the page owner can remove the access of others.')
    const share = await pageShare
      .of(ctx, [row.id])
      .selectAll('page_shares')
      .where('page_shares.person_id', '=', recipient.id)
      .executeTakeFirst()
    if (!share) {
      const inheritedFrom = (await sharesOf(ctx, row)).find(
        (item) => item.person?.id === recipient.id,
      )?.inherited_from
      if (inheritedFrom)
        throw invalid(
          'person_id',
          `${recipient.display_name} has access through the page “${inheritedFrom.title}” above.`,
          'Remove access there, or move this page.',
        )
      throw notFound('share of this page', 'person_id')
    }
    await changeAccess(ctx, row, () => ctx.remove('page_shares', share))
    return deletedRef(ctx, person.ref(recipient, ctx.baseUrl), [], { erased: true })
  },
})
