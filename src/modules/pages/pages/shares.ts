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
  async handle({ page: row, person: who, role, note }, ctx) {
    if (who.id === row.owner_id)
      throw invalid('person_id', 'the page owner already has full access.')
    if (who.status !== 'active')
      throw invalid('person_id', `${who.display_name} is not active in the organization.`)
    const there = await pageShare
      .of(ctx, [row.id])
      .selectAll('page_shares')
      .where('page_shares.person_id', '=', who.id)
      .executeTakeFirst()
    const shareFields = omitNullish({ role, note })
    const { result: share } = await changeAccess(ctx, row, () =>
      there
        ? ctx.change('page_shares', there, shareFields)
        : ctx.add('page_shares', { page_id: row.id, person_id: who.id, ...shareFields }),
    )
    if (!there || share.revision !== there.revision) {
      ctx.event('page.shared', 'pages', row)
      const noteText = note === undefined || note.trim() === '' ? '' : `: ${oneLine(note)}`
      ctx.notify(
        'share',
        [who.id],
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
  async handle({ page: row, person: who }, ctx) {
    if (who.id !== ctx.actor.id && row.owner_id !== ctx.actor.id)
      throw denied('Only the page owner can remove the access of others.')
    const share = await pageShare
      .of(ctx, [row.id])
      .selectAll('page_shares')
      .where('page_shares.person_id', '=', who.id)
      .executeTakeFirst()
    if (!share) {
      const above = (await sharesOf(ctx, row)).find(
        (item) => item.person?.id === who.id,
      )?.inherited_from
      if (above)
        throw invalid(
          'person_id',
          `${who.display_name} has access through the page “${above.title}” above.`,
          'Remove access there, or move this page.',
        )
      throw notFound('share of this page', 'person_id')
    }
    await changeAccess(ctx, row, () => ctx.remove('page_shares', share))
    return deletedRef(ctx, person.ref(who, ctx.baseUrl), [], { erased: true })
  },
})
