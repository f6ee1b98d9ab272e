import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { closeMarkup } from './quote-marks.ts'

const wikiLinkPattern = /\[\[([^\][|]{1,500})(?:\|[^\][]{0,500})?\]\]/g

/** A quoted passage with inline formatting only, so that it can be inside a button. */
export function QuoteText({ text }: { text: string }) {
  return (
    <ReactMarkdown
      skipHtml
      remarkPlugins={[remarkGfm]}
      allowedElements={['strong', 'em', 'del', 'code']}
      unwrapDisallowed
    >
      {closeMarkup(text.replace(wikiLinkPattern, '$1'))}
    </ReactMarkdown>
  )
}
