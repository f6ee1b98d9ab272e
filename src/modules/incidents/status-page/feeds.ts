import { oneLine } from '../../../kernel/text/markdown.ts'
import { iso } from '../../../kernel/time/times.ts'
import { escapeHtml } from '../../../kernel/text/html.ts'
import { updateLabel, type RenderedUpdate } from './html.ts'

// Atom (RFC 4287) and RSS 2.0 as text: the only library for both depends on an unmaintained XML writer.

export interface FeedContent {
  organization: string
  /** Absolute URL of the status page. */
  url: string
  /** Newest first. */
  updates: readonly RenderedUpdate[]
  /** Start of the organization's page, in milliseconds: the last change of an empty feed. */
  since: number
}

/** Escapes XML text, and drops characters invalid in XML. */
function escapeFeedText(input: string): string {
  return escapeHtml(
    input
      .toWellFormed()
      .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''),
  )
}

const feedEntryTitle = (update: RenderedUpdate) =>
  escapeFeedText(`${updateLabel(update)}: ${oneLine(update.title)}`)

/** A stable id, though the page may move: feed readers must recognize entries. */
const statusUpdateUrn = (update: Pick<RenderedUpdate, 'id'>) =>
  `urn:workspace:status-update:${update.id}`

export function atomOf({ organization, url, updates, since }: FeedContent): string {
  const entries = updates.map(
    (update) => `<entry>
<id>${statusUpdateUrn(update)}</id>
<title>${feedEntryTitle(update)}</title>
<link rel="alternate" type="text/html" href="${escapeFeedText(`${url}#${update.id}`)}"/>
<published>${iso(update.published_at)}</published>
<updated>${iso(update.published_at)}</updated>
<content type="html">${escapeFeedText(update.html)}</content>
</entry>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeFeedText(url)}</id>
<title>${escapeFeedText(`${oneLine(organization)} status`)}</title>
<link rel="self" type="application/atom+xml" href="${escapeFeedText(`${url}/feed.atom`)}"/>
<link rel="alternate" type="text/html" href="${escapeFeedText(url)}"/>
<updated>${iso(updates[0]?.published_at ?? since)}</updated>
<author><name>${escapeFeedText(oneLine(organization))}</name></author>
${entries.join('\n')}
</feed>
`
}

export function rssOf({ organization, url, updates }: FeedContent): string {
  const items = updates.map(
    (update) => `<item>
<title>${feedEntryTitle(update)}</title>
<link>${escapeFeedText(`${url}#${update.id}`)}</link>
<guid isPermaLink="false">${statusUpdateUrn(update)}</guid>
<pubDate>${new Date(update.published_at).toUTCString()}</pubDate>
<description>${escapeFeedText(update.html)}</description>
</item>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${escapeFeedText(`${oneLine(organization)} status`)}</title>
<link>${escapeFeedText(url)}</link>
<description>${escapeFeedText(`Status updates for the services of ${oneLine(organization)}`)}</description>
<atom:link rel="self" type="application/rss+xml" href="${escapeFeedText(`${url}/feed.rss`)}"/>
${items.join('\n')}
</channel>
</rss>
`
}
