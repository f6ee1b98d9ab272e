import { IconAlertTriangle, IconLink, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { invalidateOperations } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { taskPage as texts } from '../../../texts/en/tasks/page.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { StatusIcon } from '../../../ui/work/states.tsx'
import { isClosed } from '../data/due.ts'
import styles from './item.module.css'
import type { FullTask } from './useTask.ts'

export type Dependency = NonNullable<FullTask['dependencies']>[number]

const LinkPicker = onDemand(() => import('./LinkPicker.tsx').then(({ LinkPicker }) => LinkPicker))

/** Blockers, blocked tasks, duplicates and related tasks, linked and unlinked in place. */
export function Dependencies({ task }: { task: FullTask }) {
  const [linkMenu, setLinkMenu] = useState<{ anchor: Element; kind?: Dependency['type'] }>()
  const allDependencies = task.dependencies ?? []
  const groups = [...Map.groupBy(allDependencies, (dependency) => dependency.type)]
  const openBlockerCount = allDependencies.filter(
    (other) => other.type === 'blocked_by' && !isClosed(other.status_category),
  ).length
  return (
    <section className={styles.section}>
      <h2>
        {texts.linked}
        {openBlockerCount > 0 && !isClosed(task.status_category) && (
          <span className={styles.warning}>
            <IconAlertTriangle size={14} aria-hidden /> {texts.waits(openBlockerCount)}
          </span>
        )}
        <button
          type="button"
          data-link-task
          className={styles.small}
          onClick={(event) => setLinkMenu({ anchor: event.currentTarget })}
        >
          <IconLink size={14} aria-hidden /> {texts.link}
        </button>
      </h2>
      {groups.length > 0 && (
        <dl className={styles.links}>
          {groups.map(([type, dependencies]) => (
            <div key={type}>
              <dt>{texts.linkKinds[type]}</dt>
              <dd>
                {dependencies.map((dependency) => (
                  <LinkedTask key={dependency.task.id} task={task} dependency={dependency} />
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {linkMenu && (
        <LinkPicker
          task={task}
          anchor={linkMenu.anchor}
          kind={linkMenu.kind}
          chooseKind={(kind) => setTimeout(() => setLinkMenu({ ...linkMenu, kind }))} // once the first list has given the focus back
          close={() => setLinkMenu(undefined)}
        />
      )}
    </section>
  )
}

function LinkedTask({ task, dependency: { task: other, status_category } }: LinkedTaskProps) {
  return (
    <span className={styles.linkedTask}>
      <StatusIcon category={status_category} />
      <ItemLink item={{ ...other, type: 'task' }} withIcon={false} />
      <button
        type="button"
        className={styles.unlink}
        aria-label={texts.unlink(other.title)}
        onClick={() => void unlink(task, other)}
      >
        <IconX size={14} aria-hidden />
      </button>
    </span>
  )
}

interface LinkedTaskProps {
  task: FullTask
  dependency: Dependency
}

async function unlink(task: FullTask, other: { id: string; title: string }): Promise<void> {
  await write(
    'remove_task_dependency',
    { task_id: task.id, other_task_id: other.id },
    { text: t.tasks.changed(task.key, texts.linkRemoved(other.title)) },
  )
  await invalidateOperations('get_task')
}
