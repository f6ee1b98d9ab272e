import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { dayOf } from '../../../ui/work/days.ts'
import { MarkdownInput, TitleInput } from '../../../ui/work/texts.tsx'
import { ItemLinks } from '../../items/links/ItemLinks.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import { useAllRows } from '../../tasks/data/rows.ts'
import { dueDay } from '../../tasks/data/due.ts'
import { amountsOf, isOpenCategory, type ProjectRow } from '../data.ts'
import styles from '../planning.module.css'
import { Progress } from '../Progress.tsx'
import { ProjectUpdates } from './ProjectUpdates.tsx'
import { ProjectValues } from './ProjectValues.tsx'
import { projectText, updateProject } from './update.ts'

/** Description and status of a project; everything is edited in place. */
export function Overview({ project }: { project: ProjectRow }) {
  const hasRoom = useMediaQuery('(min-width: 64em)', true, { getInitialValueInEffect: false })
  return (
    <div className={styles.detail}>
      <div className={styles.content}>
        <TitleInput
          title={project.name}
          label={t.planning.fields.name}
          save={(name) => updateProject(project, { name }, t.planning.set.renamed(name))}
          mergeSource={{ revision: project.revision, source: projectText(project, 'name') }}
        />
        {!hasRoom && <ProjectValues project={project} />}
        <MarkdownInput
          saved={{ text: project.description_markdown ?? '', revision: project.revision }}
          source={projectText(project, 'description_markdown')}
          label={t.planning.fields.description}
          add={t.planning.addDescription}
          draft={`description ${project.id}`}
        />
        <Figures project={project} />
        <ProjectUpdates project={project} />
        <Risks projectId={project.id} />
        <CustomFields project={project} />
        <ItemLinks item={{ id: project.id, title: project.name }} />
      </div>
      {hasRoom && (
        <aside className={styles.side} aria-label={t.planning.values}>
          <ProjectValues project={project} />
        </aside>
      )}
    </div>
  )
}

/** Progress, counted from the tasks as shown on the screen. */
function Figures({ project }: { project: ProjectRow }) {
  const allRows = useAllRows()
  const rows = useMemo(
    () => allRows.filter((row) => row.project.id === project.id),
    [allRows, project.id],
  )
  const amounts = amountsOf(rows)
  const openRows = rows.filter((row) => isOpenCategory(row.status_category))
  const today = dayOf()
  const tasksPath = `/projects/${project.key}/tasks`
  const figures: [string, number, string][] = [
    [t.planning.figures.open, openRows.length, tasksPath],
    [
      t.planning.figures.overdue,
      openRows.filter((row) => (dueDay(row) ?? today) < today).length,
      `${tasksPath}?due=overdue`,
    ],
    [
      t.planning.figures.unassigned,
      openRows.filter((row) => row.assignees.length === 0).length,
      `${tasksPath}?assignee=none`,
    ],
  ]
  const blocked = openRows.filter((row) => row.blocked).length
  return (
    <section className={styles.section}>
      <h2>
        {t.planning.progress}
        <span className={styles.note}>{t.planning.doneOf(amounts.done, amounts.total)}</span>
      </h2>
      <Progress amounts={amounts} isWide />
      <dl className={styles.figures}>
        {figures.map(([name, count, path]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <RouterLink to={path} className="plain-link">
                {count}
              </RouterLink>
            </dd>
          </div>
        ))}
        <div>
          <dt>{t.planning.figures.blocked}</dt>
          <dd>{blocked}</dd>
        </div>
      </dl>
    </section>
  )
}

function Risks({ projectId }: { projectId: string }) {
  const { data } = useOperation('get_project_summary', { project_id: projectId })
  if (!data || data.risks.length === 0) return null
  return (
    <section className={styles.section}>
      <h2>{t.planning.risks}</h2>
      <ul className={styles.rows}>
        {data.risks.map((risk) => (
          <li key={`${risk.kind} ${risk.detail}`}>
            <span dir="auto">{risk.detail}</span>{' '}
            {risk.items.map((item) => (
              <ItemLink key={item.id} item={item} withIcon={false} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

function CustomFields({ project }: { project: ProjectRow }) {
  if (project.custom_fields.length === 0) return null
  return (
    <section className={styles.section}>
      <h2>{t.items.project.customFields}</h2>
      {project.custom_fields.map((field) => (
        <LinkTarget key={field.id} id={field.id}>
          <span dir="auto">{field.name}</span> · {t.items.word(field.type)}
        </LinkTarget>
      ))}
    </section>
  )
}
