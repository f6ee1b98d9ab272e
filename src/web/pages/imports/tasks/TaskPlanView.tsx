import { useState } from 'react'
import { importTexts } from '../../../texts/en/imports/imports.ts'
import { taskImport as words } from '../../../texts/en/imports/tasks.ts'
import { Problem } from '../../../ui/states.tsx'
import planning from '../../planning/planning.module.css'
import type { Project } from '../../tasks/data/lists.ts'
import { MapFields } from '../MapFields.tsx'
import styles from '../imports.module.css'
import { Remarks } from '../Remarks.tsx'
import type { ImportSource } from '../source.ts'
import { isMissingTitleColumn, useTaskPlan, type TaskOptions } from './data.ts'
import { csvColumnsOf } from './header.ts'
import { TaskFileOptions } from './TaskFileOptions.tsx'
import { FileMappings } from './FileNames.tsx'
import { TaskPreview } from './TaskPreview.tsx'

interface TaskPlanViewProps {
  source: ImportSource
  project: Project
  begin: (options: TaskOptions) => void
}

/** Planned import of a file, its interpretation, and the button that starts it. */
export function TaskPlanView({ source, project, begin }: TaskPlanViewProps) {
  const [options, setOptions] = useState<TaskOptions>({})
  const planQuery = useTaskPlan(source, project.id, options)
  const set = (patch: TaskOptions) => setOptions({ ...options, ...patch })
  const plan = planQuery.data
  const count = planQuery.error || !plan ? 0 : plan.counts.created
  return (
    <>
      {planQuery.isPending && (
        <p className={styles.said} role="status">
          {importTexts.reading}
        </p>
      )}
      {planQuery.error && !isMissingTitleColumn(planQuery.error) && (
        <Problem error={planQuery.error} />
      )}
      {isMissingTitleColumn(planQuery.error) && (
        <TitleColumn head={source.head} choose={(mapping) => set({ mapping })} />
      )}
      {plan && !planQuery.error && (
        <>
          <p className={styles.said} role="status">
            {words.counts(words.formats[plan.format], plan.counts.created, plan.counts.skipped)}
          </p>
          <FileMappings plan={plan} project={project} options={options} set={set} />
        </>
      )}
      <TaskFileOptions options={options} set={set} />
      {plan && !planQuery.error && (
        <>
          <TaskPreview plan={plan} />
          <Remarks
            skipped={plan.skipped.map(({ line, reason }) => ({ at: line, reason }))}
            skippedCount={plan.counts.skipped}
            warnings={plan.warnings}
          />
        </>
      )}
      <button
        type="button"
        className={planning.primary}
        disabled={count === 0 || planQuery.isPlaceholderData}
        onClick={() => begin(options)}
      >
        {words.action(count)}
      </button>
    </>
  )
}

interface TitleColumnProps {
  head: string
  choose: (mapping: Record<string, string>) => void
}

/** Asks for the title column if no column name matches. */
function TitleColumn({ head, choose }: TitleColumnProps) {
  const columns = csvColumnsOf(head)
  return (
    <>
      <p className={styles.said} role="status">
        {words.noTitleAbout}
      </p>
      <MapFields
        legend={words.noTitle}
        fields={[{ name: 'title', label: words.fields.title, value: '' }]}
        options={[
          { value: '', label: '' },
          ...columns.map((column) => ({ value: column, label: column })),
        ]}
        choose={(_, column) => column !== '' && choose({ [column]: 'title' })}
      />
    </>
  )
}
