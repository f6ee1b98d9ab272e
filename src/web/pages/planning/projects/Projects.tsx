import { useDocumentTitle } from '@mantine/hooks'
import { IconFolder, IconPlus } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { useListedRows, useRows, useRow, useSnapshot, type View } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { dayOf, relativeDay } from '../../../ui/work/days.ts'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import { Face } from '../../../ui/work/Who.tsx'
import type { TaskRow } from '../../tasks/data/rows.ts'
import { amountsOf, projectIdOf, useTasksBy, type ProjectRow } from '../data.ts'
import { HealthIcon } from '../Health.tsx'
import styles from '../planning.module.css'
import { Progress } from '../Progress.tsx'
import { NewProject } from './NewProject.tsx'

const states = ['active', 'planned', 'paused', 'completed'] as const

const view: View<ProjectRow> = {
  filter: (project) => project.status !== 'archived',
  compare: (a, b) => a.name.localeCompare(b.name),
  groups: (project) => project.status,
}

/** All visible projects, by state. */
export function Projects() {
  useDocumentTitle(`${t.planning.projects} – ${t.app.name}`)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const loading = useListedRows('project', {})
  useSnapshot('task')
  const { ids, groups } = useRows('project', view)
  const tasksByProject = useTasksBy(projectIdOf)
  useRowKeys(list)
  useCommands({ 'plan.create': () => setOpen(true) })
  return (
    <>
      <header className={styles.bar}>
        <h1>{t.planning.projects}</h1>
        <span className={styles.spring} />
        <button type="button" className={styles.primary} onClick={() => setOpen(true)}>
          <IconPlus size={15} stroke={2} aria-hidden />
          {t.planning.newProject.title}
        </button>
      </header>
      <div ref={list} className={styles.table}>
        {loading.error && ids.length === 0 && (
          <Problem error={loading.error} retry={loading.retry} />
        )}
        {!loading.isLoaded && !loading.error && ids.length === 0 && <Loading />}
        {loading.isLoaded && ids.length === 0 && (
          <EmptyState
            icon={IconFolder}
            title={t.planning.empty.projects.title}
            text={t.planning.empty.projects.text}
            prompt={t.planning.empty.projects.prompt}
            action={
              <button type="button" className={styles.button} onClick={() => setOpen(true)}>
                {t.planning.newProject.title}
              </button>
            }
          />
        )}
        {states.map((state) => (
          <Group key={state} state={state} ids={groups.get(state) ?? []} tasks={tasksByProject} />
        ))}
      </div>
      <NewProject isOpen={isOpen} close={() => setOpen(false)} />
    </>
  )
}

interface GroupProps {
  state: (typeof states)[number]
  ids: readonly string[]
  tasks: ReadonlyMap<string, readonly TaskRow[]>
}

function Group({ state, ids, tasks }: GroupProps) {
  if (ids.length === 0) return null
  return (
    <section>
      <h2 className={styles.groupHead}>
        {t.planning.projectStates[state]} <span>{ids.length}</span>
      </h2>
      <ul className={styles.rows}>
        {ids.map((id) => (
          <li key={id}>
            <ProjectLine id={id} tasks={tasks.get(id)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ProjectLine({ id, tasks }: { id: string; tasks: readonly TaskRow[] | undefined }) {
  const project = useRow('project', id)
  const amounts = useMemo(() => amountsOf(tasks ?? []), [tasks])
  if (!project) return null
  const isLate =
    project.ends_on !== undefined && project.status === 'active' && project.ends_on < dayOf()
  return (
    <RouterLink to={`/projects/${project.key}`} className={styles.row} data-row>
      <HealthIcon health={project.health} />
      <span className={styles.key}>{project.key}</span>
      <span className={styles.name} dir="auto">
        {project.name}
      </span>
      {project.current_sprint && (
        <span className={styles.fact} data-optional dir="auto">
          {project.current_sprint.title}
        </span>
      )}
      <Progress amounts={amounts} />
      <span className={styles.day} data-late={isLate || undefined}>
        {project.ends_on && <time dateTime={project.ends_on}>{relativeDay(project.ends_on)}</time>}
      </span>
      <Face
        id={project.lead.id}
        name={project.lead.title}
        label={t.planning.leads(project.lead.title)}
      />
    </RouterLink>
  )
}
