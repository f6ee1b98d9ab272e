import { useDocumentTitle } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { useEffect } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { table, storeRows, useRow, useSnapshot } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { AppLink, RouterLink } from '../../../ui/AppLink.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { openImport } from '../../imports/open.ts'
import { Loaded } from '../../items/Found.tsx'
import { openTaskForm } from '../../tasks/create/open.ts'
import { openTemplateDialog } from '../../tasks/templates/open.ts'
import { TaskScope } from '../../tasks/list/view.ts'
import { TaskScreen } from '../../tasks/Tasks.tsx'
import type { ProjectRow } from '../data.ts'
import { HealthIcon } from '../Health.tsx'
import styles from '../planning.module.css'
import { Sprints } from '../sprints/Sprints.tsx'
import { Milestones } from './Milestones.tsx'
import { Overview } from './Overview.tsx'
import { ProjectActivity } from './ProjectActivity.tsx'

const ProjectSettings = onDemand(() =>
  import('../settings/ProjectSettings.tsx').then(({ ProjectSettings }) => ProjectSettings),
)

const projectTabs = ['overview', 'tasks', 'sprints', 'milestones', 'activity', 'settings'] as const
type ProjectTab = (typeof projectTabs)[number]

/** The page of a project; each tab has an address. */
export function ProjectPage() {
  const { id, tab } = useParams({ strict: false }) as { id: string; tab?: string }
  const projectQuery = useOperation('get_project', { project_id: id })
  const project = projectQuery.data
  useEffect(() => {
    if (project && !table('project').has(project.id)) storeRows('project', [project])
  }, [project])
  const row = useRow('project', project?.id ?? '') ?? project
  useDocumentTitle(row ? `${row.name} – ${t.app.name}` : t.app.name)
  if (!row) return <Loaded query={projectQuery}>{() => null}</Loaded>
  return (
    <ProjectTabs project={row} tab={projectTabs.find((option) => option === tab) ?? 'overview'} />
  )
}

const projectTabPath = (project: ProjectRow, tab: ProjectTab) =>
  tab === 'overview' ? `/projects/${project.key}` : `/projects/${project.key}/${tab}`

function ProjectTabs({ project, tab }: { project: ProjectRow; tab: ProjectTab }) {
  const navigate = useNavigate()
  useSnapshot('task', { project_id: project.id })
  const step = (count: number) => () => {
    const nextTab = projectTabs[projectTabs.indexOf(tab) + count]
    return nextTab === undefined ? false : void navigate({ to: projectTabPath(project, nextTab) })
  }
  useCommands({
    'tab.next': step(1),
    'tab.previous': step(-1),
    'task.create': () => openTaskForm({ project: project.key }),
    'task.fromTemplate': () => openTemplateDialog({ project: project.key }),
    'task.import': () => openImport({ kind: 'tasks', project: project.key }),
  })
  const isScreen = tab === 'tasks'
  return (
    <div className={isScreen ? styles.screen : undefined}>
      <header className={styles.bar}>
        <nav className={styles.crumb} aria-label={t.tasks.breadcrumb}>
          <AppLink to="/projects">{t.planning.projects}</AppLink>
          <span aria-hidden>›</span>
          <HealthIcon health={project.health} />
          <span className={styles.key}>{project.key}</span>
        </nav>
        {tab !== 'overview' && <h1 dir="auto">{project.name}</h1>}
        <nav className={styles.tabs} aria-label={t.planning.tabsOf(project.name)}>
          {projectTabs.map((name) => (
            <RouterLink
              key={name}
              to={projectTabPath(project, name)}
              className={styles.tab}
              aria-current={name === tab ? 'page' : undefined}
            >
              {t.planning.tabs[name]}
            </RouterLink>
          ))}
        </nav>
      </header>
      <TabContent project={project} tab={tab} />
    </div>
  )
}

function TabContent({ project, tab }: { project: ProjectRow; tab: ProjectTab }): ReactNode {
  const scope = useMemo(() => ({ projectKey: project.key }), [project.key])
  switch (tab) {
    case 'overview':
      return <Overview project={project} />
    case 'tasks':
      return (
        <TaskScope value={scope}>
          <TaskScreen />
        </TaskScope>
      )
    case 'sprints':
      return <Sprints project={project} />
    case 'milestones':
      return <Milestones project={project} />
    case 'activity':
      return <ProjectActivity projectId={project.id} />
    case 'settings':
      return <ProjectSettings project={project} />
  }
}
