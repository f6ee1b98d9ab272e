import { useDocumentTitle } from '@mantine/hooks'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { call, type Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { table, storeRows, useRow, write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { operationTextSource } from '../../../ui/conflicts/text-merge.ts'
import { DayField, FieldList, PlainField } from '../../../ui/work/fields.tsx'
import { MarkdownInput, TitleInput } from '../../../ui/work/texts.tsx'
import { Loaded } from '../../items/Found.tsx'
import { ItemLinks } from '../../items/links/ItemLinks.tsx'
import type { SprintRow } from '../data.ts'
import styles from '../planning.module.css'
import { Burndown } from './Burndown.tsx'
import { ReportTasks } from './ReportTasks.tsx'

/** The page of a sprint: its dates and goal, its burndown, and its tasks. */
export function SprintPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const reportQuery = useOperation('get_sprint_report', { sprint_id: id })
  const report = reportQuery.data
  const sprint = report?.sprint
  useEffect(() => {
    if (sprint && !table('sprint').has(sprint.id)) storeRows('sprint', [sprint])
  }, [sprint])
  const row = useRow('sprint', sprint?.id ?? '') ?? sprint
  useDocumentTitle(row ? `${row.name} – ${t.app.name}` : t.app.name)
  if (!report || !row) return <Loaded query={reportQuery}>{() => null}</Loaded>
  return (
    <>
      <header className={styles.bar}>
        <nav className={styles.crumb} aria-label={t.tasks.breadcrumb}>
          <AppLink to="/projects">{t.planning.projects}</AppLink>
          <span aria-hidden>›</span>
          <AppLink to={`/projects/${row.project.id}/sprints`} dir="auto">
            {row.project.title}
          </AppLink>
          <span aria-hidden>›</span>
          <span dir="auto">{row.name}</span>
        </nav>
      </header>
      <SprintDetail sprint={row} report={report} />
    </>
  )
}

interface SprintDetailProps {
  sprint: SprintRow
  report: Output<'get_sprint_report'>
}

type SprintChange = { name: string } | { starts_on: string } | { ends_on: string }

/** Goal of a sprint, which others may edit at the same time. */
const goalSource = ({ id, name }: SprintRow) =>
  operationTextSource({
    read: async () => {
      const { sprint } = await call('get_sprint_report', { sprint_id: id })
      return { text: sprint.goal ?? '', revision: sprint.revision }
    },
    operation: 'update_sprint',
    input: (goal, expected_revision) => ({ sprint_id: id, goal, expected_revision }),
    row: (goal) => ({ type: 'sprint', id, set: { goal: goal ?? undefined } }),
    description: t.tasks.changed(name, t.planning.set.goal),
  })

function SprintDetail({ sprint, report }: SprintDetailProps) {
  const hasEnded = sprint.status === 'completed' || sprint.status === 'cancelled'
  const update = (change: SprintChange, message: string) =>
    void write(
      'update_sprint',
      { sprint_id: sprint.id, ...change },
      {
        rows: [{ type: 'sprint', id: sprint.id, set: { ...change } }],
        text: t.tasks.changed(sprint.name, message),
      },
    )
  const { fields, set, sprint: texts } = t.planning
  const dayField = (field: 'starts_on' | 'ends_on', label: string) => (
    <DayField
      label={label}
      day={sprint[field]}
      canClear={false}
      isDisabled={hasEnded}
      choose={(newDay) => {
        if (newDay === null) return
        update(
          field === 'starts_on' ? { starts_on: newDay } : { ends_on: newDay },
          set.day(label, newDay),
        )
      }}
    />
  )
  return (
    <div className={styles.detail}>
      <div className={styles.content}>
        <TitleInput
          title={sprint.name}
          label={fields.name}
          save={(name) => update({ name }, set.renamed(name))}
        />
        <MarkdownInput
          saved={{ text: sprint.goal ?? '', revision: sprint.revision }}
          source={goalSource(sprint)}
          label={texts.goal}
          add={texts.addGoal}
          draft={`goal ${sprint.id}`}
        />
        <Burndown report={report} />
        <ReportTasks report={report} />
        <ItemLinks item={{ id: sprint.id, title: sprint.name }} />
      </div>
      <aside className={styles.side} aria-label={t.planning.values}>
        <FieldList>
          <PlainField label={fields.status}>{texts.states[sprint.status]}</PlainField>
          {dayField('starts_on', texts.firstDay)}
          {dayField('ends_on', texts.lastDay)}
          <PlainField label={texts.amounts.tasks}>
            {t.planning.ofTotal(sprint.done.tasks, sprint.committed.tasks)}
          </PlainField>
          {sprint.committed.points > 0 && (
            <PlainField label={texts.amounts.points}>
              {t.planning.ofTotal(sprint.done.points, sprint.committed.points)}
            </PlainField>
          )}
        </FieldList>
      </aside>
    </div>
  )
}
