import { useState, type KeyboardEvent } from 'react'
import { invalidateOperations } from '../../../api/queries.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { t } from '../../../texts/index.ts'
import { typedAt } from '../../../store/index.ts'
import { Ago } from '../../../ui/times.tsx'
import { TypingLine } from '../../../ui/work/Lookers.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { writeTasks } from '../data/write.ts'
import { deleteDraft, useDraft } from '../../../ui/work/kept-drafts.ts'
import { CommentEntry, type TaskComment } from './CommentEntry.tsx'
import styles from './item.module.css'
import { canRevert, revertChange } from './put-back.ts'
import { useChanges, type Change, type FullTask } from './useTask.ts'
import { valueText, visibleChanges, authorOf } from './words.ts'

type Entry = { at: string; comment: TaskComment } | { at: string; change: Change }
type StreamFilter = 'all' | 'comments' | 'assistants'

const filters: readonly StreamFilter[] = ['all', 'comments', 'assistants']

/** Comments and activity in one order. */
export function Stream({ task }: { task: FullTask }) {
  const [filter, setFilter] = useState<StreamFilter>('all')
  const { data } = useChanges(task.id)
  const entries = entriesOf(task.comments ?? [], data?.items ?? []).filter((entry) =>
    matchesStreamFilter(entry, filter),
  )
  return (
    <section className={styles.section}>
      <h2>
        {t.tasks.activity}
        <span className={styles.tabs}>
          {filters.map((option) => (
            <button
              key={option}
              type="button"
              className={styles.small}
              aria-pressed={option === filter}
              onClick={() => setFilter(option)}
            >
              {t.tasks.stream[option]}
            </button>
          ))}
        </span>
      </h2>
      <ol className={styles.stream}>
        {entries.map((entry) =>
          'comment' in entry ? (
            <CommentEntry key={entry.comment.id} comment={entry.comment} task={task} />
          ) : (
            <ChangeEntry key={entry.change.id} change={entry.change} taskId={task.id} />
          ),
        )}
      </ol>
      <TypingLine itemId={task.id} />
      <NewComment task={task} />
    </section>
  )
}

function entriesOf(comments: readonly TaskComment[], changes: readonly Change[]): Entry[] {
  return [
    ...comments.map((comment) => ({ at: comment.created_at, comment })),
    ...changes
      .filter((change) => !/comment/.test(change.verb) && hasShownChanges(change))
      .map((change) => ({ at: change.at, change })),
  ].toSorted((a, b) => Number(a.at > b.at) - Number(a.at < b.at))
}

const hasShownChanges = (change: Change) =>
  change.verb !== 'updated' || visibleChanges(change).length > 0

function matchesStreamFilter(entry: Entry, filter: StreamFilter): boolean {
  if (filter === 'all') return true
  if (filter === 'comments') return 'comment' in entry
  return 'change' in entry && authorOf(entry.change).kind !== 'person'
}

function ChangeEntry({ change, taskId }: { change: Change; taskId: string }) {
  const author = authorOf(change)
  const fields = visibleChanges(change)
  return (
    <li className={styles.change} data-kind={author.kind}>
      <Face id={change.actor.id} name={author.name} kind={author.kind} size={18} />
      <span className={styles.changeText}>
        <strong dir="auto">{author.name}</strong>
        {author.owner !== undefined && (
          <span className={styles.note}> {t.tasks.keyOf(author.owner)}</span>
        )}{' '}
        {change.verb === 'updated'
          ? fields.map(({ field, from, to }, index) => (
              <span key={field} dir="auto">
                {index > 0 && ', '}
                {t.tasks.changeOf(
                  t.items.field(field),
                  from === null ? undefined : valueText(field, from),
                  valueText(field, to),
                )}
              </span>
            ))
          : t.items.word(change.verb).toLowerCase()}{' '}
        <span className={styles.note}>
          <Ago time={change.at} />
        </span>
      </span>
      {fields.length === 1 && canRevert(change.changes) && (
        <button
          type="button"
          className={styles.putBack}
          onClick={() => void revertChange(taskId, change.changes)}
        >
          {t.tasks.putBack}
        </button>
      )}
    </li>
  )
}

function NewComment({ task }: { task: FullTask }) {
  const key = `comment ${task.id}`
  const [text, setText] = useDraft(key, '')
  const [isSending, setSending] = useState(false)
  const send = async () => {
    if (text.trim() === '' || isSending) return
    setSending(true)
    typedAt(task.id, true)
    const comment = await writeTasks({
      operation: 'add_task_comment',
      input: { task_id: task.id, body_markdown: text.trim() },
      rows: new Map([[task.id, { comment_count: task.comment_count + 1 }]]),
      text: t.tasks.changed(task.key, t.tasks.set.commented),
    })
    setSending(false)
    if (!comment) return
    deleteDraft(key)
    setText('')
    await invalidateOperations('get_task')
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
    } else if (event.key === 'Escape') event.currentTarget.blur()
  }
  return (
    <div className={styles.newComment}>
      <textarea
        data-comment
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          typedAt(task.id)
        }}
        onBlur={() => typedAt(task.id, true)}
        onKeyDown={onKeyDown}
        rows={2}
        placeholder={t.tasks.commentPlaceholder}
        aria-label={t.tasks.commentPlaceholder}
        maxLength={50_000}
      />
      <button
        type="button"
        className={styles.send}
        disabled={text.trim() === '' || isSending}
        onClick={() => void send()}
      >
        {t.tasks.comment} <KeyCombo command="text.send" />
      </button>
    </div>
  )
}
