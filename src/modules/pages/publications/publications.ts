import { chunks } from '../../../kernel/chunks.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { datetime } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant, iso } from '../../../kernel/time/times.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { page, publication } from '../access.ts'
import { isSlugTaken } from './access.ts'
import { Publication } from './shapes.ts'
import { newSlug, slugPattern } from './slugs.ts'

export const publishPage = operation({
  name: 'publish_page',
  searchHint: 'make public, put on the website, public doc, blog post',
  kind: 'destructive',
  idempotent: true,
  rest: 'PUT /api/pages/{page_id}/publication',
  about: 'Publish a page on the web for anyone with the link',
  on: { page: page.own },
  input: {
    slug: z
      .string()
      .max(100)
      .regex(slugPattern, 'must be 3 to 100 lowercase letters, digits and hyphens')
      .optional()
      .describe(
        'the end of its address; default: the current one, else the title plus random letters',
      ),
    expires_at: datetime()
      .nullable()
      .optional()
      .describe('when it is unpublished automatically; null: never'),
    include_children: z
      .boolean()
      .optional()
      .describe('also pages below that are yours or visible to the organization'),
  },
  output: Publication,
  outbound: true,
  async handle({ page: row, slug, expires_at, include_children }, ctx) {
    const before = await publicationOf(ctx, row)
    if (slug !== undefined && (await isSlugTaken(ctx, slug, row.id)))
      throw new Refusal('conflict', 'This address is already in use.', {
        field: 'slug',
        hint: 'Choose another one, or leave it out.',
      })
    const next = {
      slug: slug ?? before?.slug ?? newSlug(row.title),
      include_children: (include_children ?? before?.include_children === 1) ? 1 : 0,
      expires_at:
        expires_at === undefined ? (before?.expires_at ?? null) : parseExpiry(ctx, expires_at),
    } as const
    if (next.expires_at !== null && next.expires_at <= ctx.now)
      throw invalid(
        'expires_at',
        'the publication of this page has expired.',
        'Send a future time, or null to publish it without an end date.',
      )
    const now = before
      ? await ctx.change('page_publications', before, next)
      : await ctx.add('page_publications', { page_id: row.id, ...next })
    if (!before || now.revision !== before.revision) ctx.event('page.published', 'pages', row)
    return presentPagePublication(ctx, row, now)
  },
})

export const unpublishPage = operation({
  name: 'unpublish_page',
  searchHint: 'take offline, no longer public',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/pages/{page_id}/publication',
  about: 'Unpublish a page',
  on: { page: page.own },
  output: DeletedRef,
  async handle({ page: row }, ctx) {
    const existing = await publicationOf(ctx, row)
    if (!existing) throw notFound('publication', 'page_id')
    await ctx.remove('page_publications', existing)
    return deletedRef(ctx, publication.ref(existing, ctx.baseUrl), [], { erased: true })
  },
})

function parseExpiry(ctx: ReadContext, text: string | null): number | null {
  if (text === null) return null
  const at = parseInstant(text, ctx.actor.timezone, 'end', 'expires_at')
  if (at <= ctx.now)
    throw invalid(
      'expires_at',
      'this time has passed.',
      'Send a future time; unpublish_page takes the page off the web immediately.',
    )
  return at
}

async function publicationOf(
  ctx: ReadContext,
  { id }: Row<'pages'>,
): Promise<Row<'page_publications'> | undefined> {
  return publication.of(ctx, [id]).selectAll('page_publications').executeTakeFirst()
}

/** Presents the publication of a page that the caller may see; undefined if it is not published. */
export async function presentPublication(
  ctx: ReadContext,
  row: Row<'pages'>,
): Promise<z.infer<typeof Publication> | undefined> {
  const existing = await publicationOf(ctx, row)
  return existing && presentPagePublication(ctx, row, existing)
}

function presentPagePublication(
  ctx: ReadContext,
  row: Row<'pages'>,
  { slug, include_children, expires_at }: Row<'page_publications'>,
): z.infer<typeof Publication> {
  const { id, title, url } = page.ref(row, ctx.baseUrl)
  return omitNullish({
    page: { id, title, url },
    public_url: `${ctx.baseUrl}/p/${slug}`,
    slug,
    include_children: include_children === 1,
    expires_at: expires_at === null ? undefined : iso(expires_at),
    status: expires_at !== null && expires_at <= ctx.now ? 'expired' : 'published',
  })
}

/** Unpublishes trashed pages: restoring them does not publish them again. */
export async function unpublishTrashed(
  ctx: WriteContext,
  rows: readonly Row<'pages'>[],
): Promise<void> {
  for (const batch of chunks(rows, 500)) {
    const publications = await publication
      .of(
        ctx,
        batch.map((row) => row.id),
      )
      .selectAll('page_publications')
      .execute()
    for (const item of publications) await ctx.remove('page_publications', item)
  }
}
