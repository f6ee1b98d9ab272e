import { Textarea } from '@mantine/core'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { t } from '../../../texts/index.ts'
import { Markdown } from '../../../ui/Markdown.tsx'
import type { TaskRow } from '../data/rows.ts'
import { writeTasks } from '../data/write.ts'
import { DescriptionEditor } from './DescriptionEditor.tsx'
import { hasDraft } from './drafts.ts'
import styles from './item.module.css'
import type { FullTask } from './useTask.ts'

/** The title, edited where it stands: Enter or leaving it saves, Escape takes back what was typed. */
export function TitleField({ row, isHeading }: { row: TaskRow; isHeading: boolean }) {
  const [text, setText] = useState(row.title)
  const isGivenUp = useRef(false)
  useEffect(() => setText(row.title), [row.title])
  const save = () => {
    const title = text.trim().replaceAll(/\s+/g, ' ')
    if (isGivenUp.current || title === '' || title === row.title) {
      isGivenUp.current = false
      setText(row.title)
      return
    }
    void writeTasks({
      operation: 'update_task',
      input: { task_id: row.id, title },
      rows: new Map([[row.id, { title }]]),
      text: t.tasks.changed(row.key, t.tasks.set.title),
    })
  }
  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') isGivenUp.current = true
    else if (event.key !== 'Enter') return
    event.preventDefault()
    event.currentTarget.blur()
  }
  return (
    <>
      {isHeading && <h1 className={styles.hidden}>{row.title}</h1>}
      <Textarea
        data-title
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={pressed}
        autosize
        minRows={1}
        variant="unstyled"
        classNames={{ input: styles.title }}
        aria-label={t.tasks.fields.title}
        maxLength={500}
        dir="auto"
      />
    </>
  )
}

/** The description: read as it looks, edited as Markdown. A draft is kept until it is saved or given up. */
export function DescriptionField({ task }: { task: FullTask }) {
  const key = `description ${task.id}`
  const [isEditing, setEditing] = useState(() => hasDraft(key))
  const saved = task.description_markdown ?? ''
  if (isEditing)
    return <DescriptionEditor task={task} draft={key} close={() => setEditing(false)} />
  return (
    <div className={styles.description}>
      {saved === '' ? (
        <button type="button" className={styles.addText} onClick={() => setEditing(true)}>
          {t.tasks.addDescription}
        </button>
      ) : (
        <>
          <Markdown text={saved} under={1} />
          <button type="button" className={styles.small} onClick={() => setEditing(true)}>
            {t.tasks.editDescription}
          </button>
        </>
      )}
    </div>
  )
}
