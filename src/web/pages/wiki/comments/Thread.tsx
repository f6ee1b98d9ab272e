import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { loadPart } from '../../../api/parts.ts'
import { write } from '../../../store/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { Markdown } from '../../../ui/Markdown.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Face, isByAssistant } from '../../../ui/work/Who.tsx'
import { Spot } from '../../items/Section.tsx'
import styles from './comments.module.css'
import { commentsChanged, type CommentThread, type PageComment } from './data.ts'
import { NewComment } from './NewComment.tsx'

const words = wiki.comments

interface ThreadProps {
  page: { id: string; title: string }
  thread: CommentThread
  mayComment: boolean
}

/** A comment with its passage and the replies to it. */
export function Thread({ page, thread: { first, replies }, mayComment }: ThreadProps) {
  const [isReplying, setReplying] = useState(false)
  const resolve = async () => {
    const resolved = !first.resolved
    await write(
      'resolve_page_comment',
      { page_id: page.id, comment_id: first.id, resolved },
      { text: resolved ? words.resolved(page.title) : words.reopened(page.title) },
    )
    await commentsChanged()
  }
  return (
    <article aria-label={words.by(first.author.title)} className={styles.thread}>
      <Quoted comment={first} />
      {[first, ...replies].map((comment) => (
        <Said key={comment.id} comment={comment} />
      ))}
      {isReplying && <NewComment page={page} replyTo={first.id} close={() => setReplying(false)} />}
      {mayComment && !isReplying && (
        <div className={styles.buttons}>
          <Button size="compact-xs" variant="subtle" onClick={() => setReplying(true)}>
            {words.reply}
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={() => void resolve()}>
            {first.resolved ? words.reopen : words.resolve}
          </Button>
        </div>
      )}
    </article>
  )
}

/** A comment's passage: links to it, unless the text no longer contains it. */
function Quoted({ comment: { id, quote, anchor } }: { comment: PageComment }) {
  if (quote === undefined) return null
  if (anchor === 'lost')
    return (
      <div>
        <p className={styles.quiet}>{words.lost}</p>
        <blockquote className={styles.quote} dir="auto">
          <Words text={quote} />
        </blockquote>
      </div>
    )
  const show = () => {
    const mark = document.querySelector(`mark[data-passage="${id}"]`)
    mark?.scrollIntoView({ block: 'center' })
  }
  return (
    <button type="button" className={styles.quote} title={words.show} onClick={show} dir="auto">
      <Words text={quote} />
    </button>
  )
}

const QuoteText = lazy(() =>
  loadPart(() => import('./QuoteText.tsx')).then((part) => ({ default: part.QuoteText })),
)

/** The words of a passage; its source until the rendered form is known. */
function Words({ text }: { text: string }) {
  return (
    <Suspense fallback={text}>
      <QuoteText text={text} />
    </Suspense>
  )
}

function Said({ comment }: { comment: PageComment }) {
  return (
    <Spot id={comment.id}>
      <p className={styles.who}>
        <Face
          id={comment.author.id}
          name={comment.author.title}
          kind={isByAssistant(comment.created_via) ? 'assistant' : 'person'}
        />
        <strong dir="auto">{comment.author.title}</strong>
        <span className={styles.quiet}>
          <Ago at={comment.created_at} />
        </span>
      </p>
      <Markdown text={comment.body_markdown} under={2} />
    </Spot>
  )
}
