import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { closedMarks } from './quote-marks.ts'

const link = /\[\[([^\][|]{1,500})(?:\|[^\][]{0,500})?\]\]/g

/** A quoted passage as rendered: only words, so that it can be inside a button. */
export function QuoteText({ text }: { text: string }) {
  return (
    <ReactMarkdown
      skipHtml
      remarkPlugins={[remarkGfm]}
      allowedElements={['strong', 'em', 'del', 'code']}
      unwrapDisallowed
    >
      {closedMarks(text.replace(link, '$1'))}
    </ReactMarkdown>
  )
}
