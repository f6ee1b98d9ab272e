import type { z } from 'zod'
import { blocks, factList, oneLine, quotation, section } from '../../kernel/text/markdown.ts'
import type { Comment, Page } from './shapes.ts'

type PageShape = z.infer<typeof Page>
type CommentShape = z.infer<typeof Comment>

/** A page as Markdown. Its text is quoted in whole lines, so that it cannot pass for the description. */
export function textOfPage(
  page: PageShape,
  comments: { items: readonly CommentShape[]; has_more: boolean } | undefined,
): string {
  return blocks(
    `# ${oneLine(page.title)}`,
    pageFactsText(page),
    section(
      'Shared with',
      page.shares?.map(
        (share) =>
          `- ${oneLine(share.person?.title ?? 'anyone with the link')}: ${share.role}${share.inherited_from ? ` (by ${JSON.stringify(oneLine(share.inherited_from.title))})` : ''}`,
      ),
    ),
    section('Text', page.body_markdown?.trim() ? quotation(page.body_markdown) : ''),
    page.next_offset === undefined
      ? ''
      : `The text continues: get_page(page_id="${page.id}", offset=${page.next_offset}).`,
    section(
      'Links here',
      page.backlinks?.map(
        (backlink) =>
          `- ${backlink.type} ${oneLine(backlink.title)} (${backlink.key ?? backlink.id})`,
      ),
    ),
    section('Open comments', comments?.items.map(commentBlock).join('\n\n')),
    comments?.has_more ? `There are more comments: list_page_comments(page_id="${page.id}").` : '',
  )
}

function pageFactsText(page: PageShape): string {
  return factList({
    Kind: page.kind.replaceAll('_', ' '),
    In: page.breadcrumb.map((item) => item.title).join(' > '),
    Visibility: page.visibility,
    Published: page.publication?.public_url,
    Owner: page.owner.title,
    'Your role': page.my_role,
    Project:
      page.project &&
      `${page.project.title}${page.project.key === undefined ? '' : ` (${page.project.key})`}`,
    Labels: page.labels.map((label) => label.title).join(', '),
    Headings: page.outline?.length,
    Characters: page.total_chars,
    Created: `${page.created_at}${page.created_by ? ` by ${page.created_by.title}` : ''}`,
    'Last change': page.updated_at,
    Id: `${page.id}, revision ${page.revision}`,
    Address: page.url,
  })
}

function commentBlock({
  id,
  author,
  created_at,
  quote,
  anchor,
  reply_to,
  body_markdown,
}: CommentShape): string {
  const about =
    quote === undefined
      ? ''
      : `, on ${JSON.stringify(oneLine(quote).slice(0, 200))}${anchor === 'lost' ? ', which is no longer in the text' : ''}`
  return `${oneLine(author.title)}, ${created_at} (${id}${reply_to === undefined ? '' : `, in reply to ${reply_to}`})${about}:\n\n${quotation(body_markdown)}`
}
