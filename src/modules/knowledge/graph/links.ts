import { z } from 'zod'
import { shortText } from '../../../kernel/fields.ts'
import { anyItem, type AnyItem } from '../../../records/items.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { itemLink, linkable } from '../access.ts'
import { Link, presentLinks } from '../shapes.ts'

const kinds = ['relates_to', 'documents', 'caused_by', 'results_in', 'duplicates'] as const
/** Symmetric link kinds. */
const mutual: readonly string[] = ['relates_to', 'duplicates']

export const linkItems = operation({
  name: 'link_items',
  searchHint: 'connect two things, cross reference, attach a page to a deal',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/links',
  about: 'Link any two workspace items, e.g. a page to a deal or an incident to a task',
  on: { from: anyItem.see.named('from_id'), to: anyItem.see.named('to_id') },
  input: {
    kind: z.enum(kinds).default('relates_to').describe('read from the first to the second'),
    note: shortText(2000)
      .nullable()
      .optional()
      .describe('for those who see both items; null: none'),
  },
  output: Link,
  async handle({ from, to, kind, note }, ctx) {
    requireLinkable(from, 'from_id')
    requireLinkable(to, 'to_id')
    if (from.row.id === to.row.id) throw invalid('to_id', 'an item cannot be linked to itself.')
    const existing =
      (await findLink(ctx, from, to, kind)) ??
      (mutual.includes(kind) ? await findLink(ctx, to, from, kind) : undefined)
    const row = existing
      ? await ctx.change(
          'item_links',
          existing,
          note === undefined ? {} : { note: nonBlankNote(note) },
        )
      : await ctx.add('item_links', {
          from_type: from.resource.definition.type,
          from_id: from.row.id,
          to_type: to.resource.definition.type,
          to_id: to.row.id,
          kind,
          note: nonBlankNote(note),
        })
    return (await presentLinks(ctx, [row]))[0]!
  },
})

/** Trims the note of a link; a blank note becomes null. */
const nonBlankNote = (note: string | null | undefined) => (note?.trim() ? note : null)

function requireLinkable({ resource }: AnyItem, field: string): void {
  if (!linkable.has(resource.definition.type))
    throw invalid(
      field,
      `a ${resource.name} cannot be linked.`,
      `These can: ${[...linkable].join(', ').replaceAll('_', ' ')}.`,
    )
}

async function findLink(
  ctx: ReadContext,
  from: AnyItem,
  to: AnyItem,
  kind: Row<'item_links'>['kind'],
): Promise<Row<'item_links'> | undefined> {
  return itemLink
    .visibleTo(ctx)
    .where('item_links.from_id', '=', from.row.id)
    .where('item_links.to_id', '=', to.row.id)
    .where('item_links.kind', '=', kind)
    .selectAll('item_links')
    .executeTakeFirst()
}

export const unlinkItems = operation({
  name: 'unlink_items',
  searchHint: 'disconnect, remove a cross reference',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/links/{link_id}',
  about: 'Remove a link between two items',
  on: { link: itemLink.own },
  output: DeletedRef,
  async handle({ link: row }, ctx) {
    await ctx.remove('item_links', row)
    return deletedRef(ctx, itemLink.ref(row, ctx.baseUrl), [], { erased: true })
  },
})
