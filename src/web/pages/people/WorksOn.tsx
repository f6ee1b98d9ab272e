import { useList } from '../../api/queries.ts'
import { peopleTexts } from '../../texts/en/company/people.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { relativeDay } from '../../ui/work/days.ts'
import { ItemSection } from '../items/Section.tsx'
import planning from '../planning/planning.module.css'
import type { Colleague } from './data.ts'
import styles from './people.module.css'

const { person: words } = peopleTexts

/** A person's tasks in progress, as far as visible to the reader. */
export function CurrentTasks({ person: { id } }: { person: Colleague }) {
  const tasks = useList('list_tasks', {
    assignee: id,
    status_category: ['in_progress'],
    limit: 10,
  })
  return (
    <ItemSection title={words.works}>
      <QueryContent query={tasks}>
        {() =>
          tasks.items.length === 0 ? (
            <p className={planning.quiet}>{words.noTasks}</p>
          ) : (
            <ul className={styles.absences}>
              {tasks.items.map((task) => (
                <li key={task.id} className={styles.task}>
                  <ItemLink item={task} isRow />
                  {task.due_on !== undefined && (
                    <span className={planning.note}>{relativeDay(task.due_on)}</span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
      <AppLink to={`/tasks?assignee=${id}`} size="sm">
        {words.allTasks}
      </AppLink>
    </ItemSection>
  )
}
