import { useState } from 'react'
import { invalidateOperations } from '../../../api/queries.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { useMe } from '../../../session/session.ts'
import { write } from '../../../store/index.ts'
import { taskPage as texts } from '../../../texts/en/tasks/page.ts'
import { t } from '../../../texts/index.ts'
import { Markdown } from '../../../ui/Markdown.tsx'
import { Ago } from '../../../ui/times.tsx'
import { deleteDraft, hasDraft, useDraft } from '../../../ui/work/kept-drafts.ts'
import { focusOnMount } from '../../../ui/work/focus.ts'
import { Face, isByAssistant } from '../../../ui/work/Who.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import styles from './item.module.css'
import type { FullTask } from './useTask.ts'

export type TaskComment = NonNullable<FullTask['comments']>[number]

interface CommentProps {
  comment: TaskComment
  task: FullTask
}

const commentDraftKey = (comment: TaskComment) => `comment edited ${comment.id}`

/** A comment; the reader's own can be edited and deleted in place. */
export function CommentEntry({ comment, task }: CommentProps) {
  const isOwn = useMe().id === comment.author.id
  const [isEditing, setEditing] = useState(() => isOwn && hasDraft(commentDraftKey(comment)))
  return (
    <li className={styles.comment}>
      <LinkTarget id={comment.id}>
        <div className={styles.commentHead}>
          <Face
            id={comment.author.id}
            name={comment.author.title}
            kind={isByAssistant(comment.created_via) ? 'assistant' : 'person'}
            size={22}
          />
          <strong dir="auto">{comment.author.title}</strong>
          <span className={styles.note}>
            <Ago time={comment.created_at} />
            {comment.edited_at !== undefined && ` · ${texts.edited}`}
          </span>
          {isOwn && !isEditing && (
            <span className={styles.commentTools}>
              <button type="button" className={styles.small} onClick={() => setEditing(true)}>
                {texts.edit}
              </button>
              <button
                type="button"
                className={styles.small}
                onClick={() => void deleteComment(task, comment)}
              >
                {texts.remove}
              </button>
            </span>
          )}
        </div>
        {isEditing ? (
          <CommentEditor comment={comment} task={task} close={() => setEditing(false)} />
        ) : (
          <div className={styles.commentText}>
            <Markdown text={comment.body_markdown} parentLevel={2} />
          </div>
        )}
      </LinkTarget>
    </li>
  )
}

async function deleteComment(task: FullTask, comment: TaskComment): Promise<void> {
  await write(
    'delete_task_comment',
    { task_id: task.id, comment_id: comment.id },
    { text: t.tasks.changed(task.key, texts.commentDeleted) },
  )
  await invalidateOperations('get_task')
}

/** A comment's text during editing; kept until saved or discarded. */
function CommentEditor({ comment, task, close }: CommentProps & { close: () => void }) {
  const key = commentDraftKey(comment)
  const [text, setText] = useDraft(key, comment.body_markdown)
  const finish = () => {
    deleteDraft(key)
    close()
  }
  const save = async () => {
    const body = text.trim()
    if (body === '') return
    if (body === comment.body_markdown) return finish()
    const result = await write(
      'update_task_comment',
      { task_id: task.id, comment_id: comment.id, body_markdown: body },
      { text: t.tasks.changed(task.key, texts.commentChanged) },
    )
    if (result.state !== 'done') return
    await invalidateOperations('get_task')
    finish()
  }
  return (
    <div className={styles.newComment}>
      <textarea
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') finish()
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
        ref={focusOnMount}
        rows={3}
        aria-label={texts.editComment}
        maxLength={50_000}
      />
      <span className={styles.editorBar}>
        <button type="button" className={styles.small} onClick={finish}>
          {t.app.cancel}
        </button>
        <button
          type="button"
          className={styles.send}
          disabled={text.trim() === ''}
          onClick={() => void save()}
        >
          {texts.save} <KeyCombo command="text.send" />
        </button>
      </span>
    </div>
  )
}
