import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { loadPart } from '../../../api/parts.ts'
import { write } from '../../../store/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { Markdown } from '../../../ui/Markdown.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Face, isByAssistant } from '../../../ui/work/Who.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import styles from './comments.module.css'
import { invalidateComments, type CommentThread, type PageComment } from './data.ts'
import { NewComment } from './NewComment.tsx'

const texts = wiki.comments

interface ThreadProps {
  page: { id: string; title: string }
  thread: CommentThread
  canComment: boolean
}

/** A comment with its passage and the replies to it. */
export function Thread({ page, thread: { root, replies }, canComment }: ThreadProps) {
  const [isReplying, setReplying] = useState(false)
  const resolve = async () => {
    const resolved = !root.resolved
    await write(
      'resolve_page_comment',
      { page_id: page.id, comment_id: root.id, resolved },
      { text: resolved ? texts.resolved(page.title) : texts.reopened(page.title) },
    )
    await invalidateComments()
  }
  return (
    <article aria-label={texts.by(root.author.title)} className={styles.thread}>
      <QuotedPassage comment={root} />
      {[root, ...replies].map((comment) => (
        <CommentBody key={comment.id} comment={comment} />
      ))}
      {isReplying && <NewComment page={page} replyTo={root.id} close={() => setReplying(false)} />}
      {canComment && !isReplying && (
        <div className={styles.buttons}>
          <Button size="compact-xs" variant="subtle" onClick={() => setReplying(true)}>
            {texts.reply}
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={() => void resolve()}>
            {root.resolved ? texts.reopen : texts.resolve}
          </Button>
        </div>
      )}
    </article>
  )
}

/** A comment's passage: links to it, unless the text no longer contains it. */
function QuotedPassage({ comment: { id, quote, anchor } }: { comment: PageComment }) {
  if (quote === undefined) return null
  if (anchor === 'lost')
    return (
      <div>
        <p className={styles.quiet}>{texts.lost}</p>
        <blockquote className={styles.quote} dir="auto">
          <PassageText text={quote} />
        </blockquote>
      </div>
    )
  const show = () => {
    const mark = document.querySelector(`mark[data-passage="${id}"]`)
    mark?.scrollIntoView({ block: 'center' })
  }
  return (
    <button type="button" className={styles.quote} title={texts.show} onClick={show} dir="auto">
      <PassageText text={quote} />
    </button>
  )
}

const QuoteText = lazy(() =>
  loadPart(() => import('./QuoteText.tsx')).then((part) => ({ default: part.QuoteText })),
)

/** The text of a passage: its source until the renderer is loaded. */
function PassageText({ text }: { text: string }) {
  return (
    <Suspense fallback={text}>
      <QuoteText text={text} />
    </Suspense>
  )
}

function CommentBody({ comment }: { comment: PageComment }) {
  return (
    <LinkTarget id={comment.id}>
      <p className={styles.who}>
        <Face
          id={comment.author.id}
          name={comment.author.title}
          kind={isByAssistant(comment.created_via) ? 'assistant' : 'person'}
        />
        <strong dir="auto">{comment.author.title}</strong>
        <span className={styles.quiet}>
          <Ago time={comment.created_at} />
        </span>
      </p>
      <Markdown text={comment.body_markdown} parentLevel={2} />
    </LinkTarget>
  )
}
