import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { wiki } from '../../../texts/en/wiki.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import styles from './comments.module.css'
import { threadsOf, usePageComments } from './data.ts'
import { NewComment, type Quote } from './NewComment.tsx'
import { Thread } from './Thread.tsx'

const texts = wiki.comments

interface CommentsProps {
  page: { id: string; title: string }
  canComment: boolean
  /** The current selection; undefined if there is none. */
  getSelection: () => Quote | undefined
}

/** Comments by people and assistants on a page and its passages, beside the text. */
export function Comments({ page, canComment, getSelection }: CommentsProps) {
  const comments = usePageComments(page.id)
  const [quote, setQuote] = useState<Quote>()
  const [isWriting, setWriting] = useState(false)
  const [isShowingResolved, setShowingResolved] = useState(false)
  const startComment = () => {
    setQuote(getSelection())
    setWriting(true)
  }
  useCommands({ 'page.comment': canComment ? startComment : undefined })
  const threads = threadsOf(comments.items)
  const openThreads = threads.filter(({ root }) => !root.resolved)
  const resolvedThreads = threads.filter(({ root }) => root.resolved)
  return (
    <section aria-label={texts.title} className={styles.comments}>
      <header className={styles.head}>
        <h2>{texts.title}</h2>
        {canComment && (
          <Button
            size="compact-xs"
            variant="default"
            onMouseDown={(event) => event.preventDefault()} // keeps the selection
            onClick={startComment}
            rightSection={<KeyCombo command="page.comment" />}
          >
            {texts.add}
          </Button>
        )}
      </header>
      {isWriting && (
        <NewComment
          key={`${quote?.start ?? ''} ${quote?.text ?? ''}`}
          page={page}
          quote={quote}
          close={() => setWriting(false)}
        />
      )}
      <QueryContent query={comments}>
        {() => (
          <>
            {openThreads.length === 0 && !isWriting && <p className={styles.quiet}>{texts.none}</p>}
            {[...openThreads, ...(isShowingResolved ? resolvedThreads : [])].map((thread) => (
              <Thread key={thread.root.id} page={page} thread={thread} canComment={canComment} />
            ))}
            {resolvedThreads.length > 0 && (
              <Button
                size="compact-xs"
                variant="subtle"
                aria-expanded={isShowingResolved}
                onClick={() => setShowingResolved(!isShowingResolved)}
              >
                {isShowingResolved
                  ? texts.hideResolved
                  : texts.showResolved(resolvedThreads.length)}
              </Button>
            )}
            <MoreButton query={comments} />
          </>
        )}
      </QueryContent>
    </section>
  )
}
