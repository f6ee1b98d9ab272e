import { lazy, Suspense } from 'react'
import type { HtmlNode } from './source/html-tree.ts'
import { PlainText } from './Outside.tsx'
import type { Passage } from './source/source-map.ts'

const MarkdownText = lazy(() =>
  import('./MarkdownText.tsx').then((module) => ({ default: module.MarkdownText })),
)

interface Props {
  text: string
  /** Level of the heading above the text, whose headings are nested below it. */
  parentLevel?: number
  /** True if its headings have anchors, as used by the page outline. */
  hasAnchors?: boolean
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
