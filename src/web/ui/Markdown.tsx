import { lazy, Suspense } from 'react'
import type { HtmlNode } from './source/html-tree.ts'
import { PlainText } from './Outside.tsx'
import type { Passage } from './source/source-map.ts'

const MarkdownText = lazy(() =>
  import('./MarkdownText.tsx').then((item) => ({ default: item.MarkdownText })),
)

interface Props {
  text: string
  /** The level of the heading above: its own headings are below that. */
  under?: number
  /** True if its headings have anchors, as used by the page outline. */
  withAnchors?: boolean
  /** Highlighted passages; with them, rendered text includes source positions. */
  passages?: readonly Passage[]
  /** Replaces text outside code and links. */
  split?: (text: string) => HtmlNode[]
}

/**
 * Renders Markdown from the server. HTML in it is ignored, pictures come only from this server; until the parser is
 * loaded, the source is shown.
 */
export function Markdown(props: Props) {
  return (
    <Suspense fallback={<PlainText text={props.text} />}>
      <MarkdownText {...props} />
    </Suspense>
  )
}
