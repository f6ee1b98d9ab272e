import { createHash } from 'node:crypto'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import { escapeHtml, htmlDocument } from '../../../kernel/text/html.ts'
import { foldTitle } from '../../../kernel/text/order.ts'
import type { OpenLook, OpenPage, OpenPlace } from '../../../operations/public-pages.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { publishedAt, type Published } from './access.ts'
import {
  internalTargetOf,
  rewriteLinks,
  type InternalTarget,
  type LinkSpan,
} from '../content/link-spans.ts'
import { htmlOf } from '../rendering/renderer.ts'
import { slugPattern } from './slugs.ts'

/** Published pages, at the publication's address, with subpages below it. */
export const publishedPages: readonly OpenPlace[] = [
  { path: '/p/:slug', read: (look) => readPublishedPage(look) },
  { path: '/p/:slug/:child', read: (look) => readPublishedPage(look) },
]

async function readPublishedPage({
  all,
  now,
  baseUrl,
  settings,
  params,
}: OpenLook): Promise<OpenPage | undefined> {
  const { slug = '', child } = params
  if (!slugPattern.test(slug)) return undefined
  const published = await publishedAt(all, now, slug)
  const row =
    child === undefined
      ? published?.pages[0]
      : published?.pages.slice(1).find((item) => item.id === child)
  if (!published || !row) return undefined
  const isListed = settings.index_published
  const { expires_at } = published.publication
  if (expires_at !== null && expires_at <= now)
    return { html: expiredDocument, styles, isGone: true, isListed: false }
  return {
    html: await documentOf(published, row, {
      baseUrls: [baseUrl, ...settings.also_at.split(',').filter((url) => url !== '')],
      isListed,
    }),
    styles,
    isListed,
  }
}

/** HTML of recently shown texts. Viewing the same page again needs no parsing. */
const recentHtml = new BoundedMap<string, Promise<string>>(200)

/**
 * The HTML of a page's current text, with links to pages of the same publication. `homes`: base URLs of this
 * instance.
 * Cached by text, not by version number, since an undone version's number is reused.
 */
async function bodyHtml(
  published: Published,
  row: Row<'pages'>,
  homes: readonly string[],
): Promise<string> {
  const body = await published.body(row)
  const linkTargets = JSON.stringify([
    published.publication.slug,
    published.pages.map(({ id, title }) => [id, title]),
  ])
  const key = createHash('sha256').update(linkTargets).update(body).digest('base64url')
  const html = recentHtml.useOrAdd(key, () =>
    htmlOf(publicLinks(body, published, homes), '', 0, { owner: row.owner_id }),
  )
  html.catch(() => recentHtml.delete(key))
  return html
}

/** Links to published pages are kept; those to anything else in the workspace become their text. */
function publicLinks(body: string, publishedPages: Published, homes: readonly string[]): string {
  const byId = new Map<string, Row<'pages'>>(publishedPages.pages.map((row) => [row.id, row]))
  const byTitle = new Map([...publishedPages.pages].reverse().map((row) => [row.title_folded, row]))
  const rowOf = (to: InternalTarget): Row<'pages'> | undefined => {
    if ('page' in to) return byId.get(to.page)
    return 'title' in to ? byTitle.get(foldTitle(to.title.split('/').at(-1)!)) : undefined
  }
  return rewriteLinks(body, (link) => {
    const to = homes.map((home) => internalTargetOf(link, home)).find((item) => item !== undefined)
    if (!to) return isInternalLink(link, homes) ? withoutTarget(link, body) : undefined
    const row = rowOf(to)
    const linkText = link.text ?? ('title' in to ? to.title : row?.title)
    if (link.form === 'wiki')
      return {
        start: link.start,
        end: link.end,
        text: row
          ? `[${escapeMarkdown(linkText ?? '')}](${publicPagePath(publishedPages, row)}${link.hash})`
          : escapeMarkdown(linkText ?? ''),
      }
    return row
      ? {
          start: link.targetStart,
          end: link.targetEnd,
          text:
            link.form === 'bare' || link.form === 'angle'
              ? `[${escapeMarkdown(row.title)}](${publicPagePath(publishedPages, row)}${link.hash})`
              : `${publicPagePath(publishedPages, row)}${link.hash}`,
        }
      : withoutTarget(link, body)
  })
}

/** Whether a link points into this workspace or is relative; neither works for anonymous readers. */
function isInternalLink({ target, hash, form }: LinkSpan, homes: readonly string[]): boolean {
  if (target === '') return hash === '' || form === 'wiki'
  return (
    homes.some((home) => target === home || target.startsWith(`${home}/`)) ||
    !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target)
  )
}

/** Removes a link's target: only the link's text remains, and nothing of a bare address. */
function withoutTarget(link: LinkSpan, body: string): { start: number; end: number; text: string } {
  if (link.form === 'wiki')
    return {
      start: link.start,
      end: link.end,
      text: escapeMarkdown(link.text ?? body.slice(link.targetStart, link.targetEnd)),
    }
  return {
    start: link.form === 'angle' ? link.start : link.targetStart,
    end: link.form === 'angle' ? link.end : link.targetEnd,
    text: link.form === 'inline' || link.form === 'definition' ? '#' : '',
  }
}

/** Escapes a text for literal Markdown. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&')
}

function publicPagePath({ publication, pages }: Published, { id }: Row<'pages'>): string {
  return id === pages[0]!.id ? `/p/${publication.slug}` : `/p/${publication.slug}/${id}`
}

async function documentOf(
  published: Published,
  row: Row<'pages'>,
  { baseUrls, isListed }: { baseUrls: readonly string[]; isListed: boolean },
): Promise<string> {
  const above = ancestorsOf(published, row)
  const below = published.pages.filter((item) => item.parent_id === row.id && item.id !== row.id)
  const trail = above.map((item) => linkTo(published, item)).join(' › ')
  const text = await bodyHtml(published, row, baseUrls)
  const writtenAt = iso(await published.writtenAt(row))
  return publicationDocument(
    row.title,
    [
      trail === '' ? '' : `<nav aria-label="Above">${trail}</nav>`,
      '<article lang="">', // the language of the text is unknown
      beginsWithTitle(text, row)
        ? ''
        : `<h1>${row.icon === null ? '' : `${escapeHtml(row.icon)} `}${escapeHtml(row.title)}</h1>`,
      text,
      '</article>',
      below.length === 0
        ? ''
        : `<nav aria-label="Below"><ul>${below.map((item) => `<li>${linkTo(published, item)}</li>`).join('')}</ul></nav>`,
      `<footer>Updated <time datetime="${writtenAt}">${writtenAt.slice(0, 10)}</time></footer>`,
    ],
    isListed,
  )
}

/** Whether a text starts with its page's title. */
function beginsWithTitle(html: string, { title }: Row<'pages'>): boolean {
  return /^<h1 id="[^"]*">([^<]*)<\/h1>/.exec(html.trimStart())?.[1]?.trim() === title.trim()
}

function ancestorsOf({ pages }: Published, row: Row<'pages'>): Row<'pages'>[] {
  const byId = new Map<string | null, Row<'pages'>>(pages.map((item) => [item.id, item]))
  const ancestors: Row<'pages'>[] = []
  for (let at = row; at.id !== pages[0]!.id; ancestors.unshift(at)) at = byId.get(at.parent_id)!
  return ancestors
}

function linkTo(published: Published, row: Row<'pages'>): string {
  return `<a href="${publicPagePath(published, row)}">${row.icon === null ? '' : `${escapeHtml(row.icon)} `}${escapeHtml(row.title)}</a>`
}

const styles = `:root{color-scheme:light dark;font:1.05rem/1.6 system-ui,sans-serif}body{margin:0}main{max-width:46rem;margin:2.5rem auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.9rem;line-height:1.25}h2{font-size:1.4rem;margin-top:2rem}h3{font-size:1.15rem}a{color:light-dark(#1d4ed8,#93c5fd)}:focus-visible{outline:3px solid #60a5fa;outline-offset:2px}
pre,code{font-family:ui-monospace,monospace;font-size:.92em}pre{white-space:pre-wrap;padding:.75rem;border:1px solid light-dark(#ccc,#555);border-radius:.3rem}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border:1px solid light-dark(#ccc,#555);padding:.3rem .6rem}blockquote{margin:1rem 0;padding-left:1rem;border-left:.25rem solid light-dark(#ccc,#555)}
img{max-width:100%;height:auto}nav,footer{font-size:.9rem;margin:1.5rem 0}footer{color:light-dark(#595959,#a6a6a6)}.task-list-item{list-style:none}.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
`

function publicationDocument(title: string, body: readonly string[], isListed: boolean): string {
  return htmlDocument({ title, styles, body, isListed })
}

const expiredDocument = publicationDocument(
  'No longer published',
  ['<h1>No longer published</h1>', '<p>This page is no longer published.</p>'],
  false,
)
