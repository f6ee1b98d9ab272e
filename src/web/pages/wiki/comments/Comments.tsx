import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { wiki } from '../../../texts/en/wiki.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { Shown } from '../../../ui/states.tsx'
import styles from './comments.module.css'
import { threadsOf, usePageComments } from './data.ts'
import { NewComment, type Quote } from './NewComment.tsx'
import { Thread } from './Thread.tsx'

const words = wiki.comments

interface CommentsProps {
  page: { id: string; title: string }
  mayComment: boolean
  /** The current selection; undefined if there is none. */
  selected: () => Quote | undefined
}

/** Comments by people and assistants on a page and its passages, beside the text. */
export function Comments({ page, mayComment, selected }: CommentsProps) {
  const comments = usePageComments(page.id)
  const [quote, setQuote] = useState<Quote>()
  const [isWriting, setWriting] = useState(false)
  const [isAll, setAll] = useState(false)
  const write = () => {
    setQuote(selected())
    setWriting(true)
  }
  useCommands({ 'page.comment': mayComment ? write : undefined })
  const threads = threadsOf(comments.items)
  const open = threads.filter(({ first }) => !first.resolved)
  const resolved = threads.filter(({ first }) => first.resolved)
  return (
    <section aria-label={words.title} className={styles.comments}>
      <header className={styles.head}>
        <h2>{words.title}</h2>
        {mayComment && (
          <Button
            size="compact-xs"
            variant="default"
            onMouseDown={(event) => event.preventDefault()} // what is selected stays so
            onClick={write}
            rightSection={<KeyCombo command="page.comment" />}
          >
            {words.add}
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
      <Shown query={comments}>
        {() => (
          <>
            {open.length === 0 && !isWriting && <p className={styles.quiet}>{words.none}</p>}
            {[...open, ...(isAll ? resolved : [])].map((thread) => (
              <Thread key={thread.first.id} page={page} thread={thread} mayComment={mayComment} />
            ))}
            {resolved.length > 0 && (
              <Button
                size="compact-xs"
                variant="subtle"
                aria-expanded={isAll}
                onClick={() => setAll(!isAll)}
              >
                {isAll ? words.hideResolved : words.showResolved(resolved.length)}
              </Button>
            )}
            <MoreButton query={comments} />
          </>
        )}
      </Shown>
    </section>
  )
}
