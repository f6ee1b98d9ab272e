import { useMediaQuery } from '@mantine/hooks'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { StatusIcon } from '../../../ui/work/states.tsx'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { WaitingHere } from '../../activity/approvals/WaitingHere.tsx'
import { NowStrip } from '../../assistants/NowStrip.tsx'
import { FieldFacts } from '../../items/Facts.tsx'
import { ItemLinks } from '../../items/links/ItemLinks.tsx'
import { openTaskForm } from '../create/open.ts'
import { useRow, type TaskRow } from '../data/rows.ts'
import { FaceStack } from '../list/chips.tsx'
import { openPicker } from '../pick/open.ts'
import { Attachments } from './Attachments.tsx'
import { Dependencies } from './Dependencies.tsx'
import { DescriptionField, TitleField } from './texts.tsx'
import styles from './item.module.css'
import { Stream } from './Stream.tsx'
import type { FullTask } from './useTask.ts'
import { Values } from './Values.tsx'

interface TaskDetailProps {
  task: FullTask
  row: TaskRow
  /** Beside a list, it has one column, and its title is not a page heading. */
  isPeek?: boolean
}

/** All details of a task, editable in place. */
export function TaskDetail({ task, row, isPeek = false }: TaskDetailProps) {
  const hasRoom = useMediaQuery('(min-width: 64em)', true, { getInitialValueInEffect: false })
  const isOneColumn = isPeek || !hasRoom
  return (
    <div className={styles.detail} data-one-column={isOneColumn || undefined}>
      <div className={styles.content}>
        {row.parent && (
          <span className={styles.parent}>
            {t.tasks.partOf} <ItemLink item={row.parent} withIcon={false} />
          </span>
        )}
        <NowStrip itemId={row.id} />
        <WaitingHere ids={[row.id]} />
        <TitleField row={row} isHeading={!isPeek} />
        {isOneColumn && <Values task={task} row={row} />}
        <DescriptionField task={task} />
        <Subtasks task={task} row={row} />
        {Object.keys(task.custom_fields).length > 0 && (
          <section className={styles.section}>
            <h2>{t.tasks.customFields}</h2>
            <FieldFacts item={task.custom_fields} />
          </section>
        )}
        <Dependencies task={task} />
        <Attachments task={task} />
        {!isPeek && <ItemLinks item={{ id: row.id, key: row.key, title: row.title }} />}
        <Stream task={task} />
      </div>
      {!isOneColumn && (
        <aside className={styles.side} aria-label={t.tasks.values}>
          <Values task={task} row={row} />
        </aside>
      )}
    </div>
  )
}

function Subtasks({ task, row }: { task: FullTask; row: TaskRow }) {
  const { total, done } = row.subtask_counts
  return (
    <section className={styles.section}>
      <h2>
        {t.tasks.subtasks}
        {total > 0 && (
          <span className={styles.note}>
            {done}/{total}
          </span>
        )}
        <button
          type="button"
          className={styles.small}
          onClick={() =>
            openTaskForm({ project: row.project.key, parent: { id: row.id, title: row.title } })
          }
        >
          {t.tasks.addSubtask}
        </button>
      </h2>
      <ul className={styles.list}>
        {(task.subtasks ?? []).map((subtask) => (
          <li key={subtask.id}>
            <Subtask id={subtask.id} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Subtask({ id }: { id: string }) {
  const row = useRow(id)
  if (!row) return null
  return (
    <div className={styles.subtask}>
      <button
        type="button"
        className={styles.iconButton}
        aria-label={t.tasks.fieldIs(t.tasks.fields.status, row.status)}
        onClick={(event) => openPicker({ field: 'status', ids: [id], anchor: event.currentTarget })}
      >
        <StatusIcon category={row.status_category} />
      </button>
      <span className={styles.key}>{row.key}</span>
      <RouterLink to={`/tasks/${row.key}`} className={styles.name} dir="auto">
        {row.title}
      </RouterLink>
      <FaceStack items={row.assignees} size={18} />
    </div>
  )
}
