import { useState } from 'react'
import { importTexts } from '../../../texts/en/imports/imports.ts'
import { taskImport as words } from '../../../texts/en/imports/tasks.ts'
import planning from '../../planning/planning.module.css'
import { Choice } from '../Choice.tsx'
import styles from '../imports.module.css'
import type { TaskOptions } from './data.ts'

interface TaskFileOptionsProps {
  options: TaskOptions
  set: (options: TaskOptions) => void
}

/** Options that the file itself does not specify. */
export function TaskFileOptions({ options, set }: TaskFileOptionsProps) {
  const [sourceProject, setSourceProject] = useState('')
  const applySourceProject = () => set({ source_project: sourceProject.trim() || undefined })
  return (
    <details className={styles.options}>
      <summary>{importTexts.options}</summary>
      <div className={planning.form}>
        <div className={planning.pair}>
          <Choice
            label={words.format}
            value={options.format ?? ''}
            names={words.formats}
            choose={(format) => set({ format: format === '' ? undefined : format })}
          />
          <Choice
            label={words.dateOrder}
            value={options.date_order ?? ''}
            names={words.dateOrders}
            choose={(order) => set({ date_order: order === '' ? undefined : order })}
          />
        </div>
        <label>
          {words.sourceProject}
          <input
            value={sourceProject}
            maxLength={200}
            onChange={(event) => setSourceProject(event.currentTarget.value)}
            onBlur={applySourceProject}
            onKeyDown={(event) => event.key === 'Enter' && applySourceProject()}
            dir="auto"
          />
        </label>
      </div>
    </details>
  )
}
