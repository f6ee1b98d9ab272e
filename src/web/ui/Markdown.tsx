import { lazy, Suspense } from 'react'
import type { HtmlNode } from './source/html-tree.ts'
import { PlainText } from './Outside.tsx'
import type { Passage } from './source/source-map.ts'

const MarkdownText = lazy(() =>
  import('./MarkdownText.tsx').then((item) => ({ default: item.MarkdownText })),
)

interface Props {
  text: string
  /** The level of the heading that it stands below: its own headings are smaller. */
  under?: number
  /** Whether its headings have addresses, as the outline of a page names them. */
  withAnchors?: boolean
  /** Passages that are marked; with it, what is drawn says where it stands in the text. */
  passages?: readonly Passage[]
  /** Turns text that is no code and no link into what is shown instead. */
  split?: (text: string) => HtmlNode[]
}

/** Markdown from the server. No HTML in it counts, pictures come from this server alone; until what reads it is loaded, the text stands as it is. */
export function Markdown(props: Props) {
  return (
    <Suspense fallback={<PlainText text={props.text} />}>
      <MarkdownText {...props} />
    </Suspense>
  )
}
