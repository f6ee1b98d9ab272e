import { useState, type FormEvent } from 'react'
import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import planning from '../../planning/planning.module.css'
import { useProjects } from '../../tasks/data/lists.ts'
import { SelectField } from '../PlanFields.tsx'
import { createTasks } from './data.ts'

const { actions: words } = resultTexts

interface TasksFormProps {
  ids: readonly string[]
  close: () => void
}

/** Asks for the project of tasks created from action items. */
export function TasksForm({ ids, close }: TasksFormProps) {
  const projects = useProjects()
  const [chosenId, setChosen] = useState('')
  const projectId = chosenId === '' ? (projects[0]?.id ?? '') : chosenId
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (projectId === '') return // the projects are still loading
    close()
    void createTasks(ids, projectId)
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <SelectField
        label={words.project}
        value={projectId}
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
        set={setChosen}
      />
      <button type="submit" data-autofocus className={planning.primary}>
        {words.action}
      </button>
    </form>
  )
}
