import { useState, type FormEvent } from 'react'
import type { Input } from '../../api/client.ts'
import { write } from '../../store/index.ts'
import { incidentTexts } from '../../texts/en/company/incidents.ts'
import planning from '../planning/planning.module.css'
import { usePeople, useProjects } from '../tasks/data/lists.ts'

const { tasks: words } = incidentTexts

interface SourceTaskFormProps {
  source: { type: Input<'create_task_from_source'>['source_type']; id: string; title: string }
  /** Called after the task is created. */
  onCreated: () => void
  close: () => void
}

/** Creates a task from an item, with a link to it. */
export function SourceTaskForm({ source, onCreated, close }: SourceTaskFormProps) {
  const projects = useProjects()
  const people = usePeople()
  const [title, setTitle] = useState(source.title)
  const [selectedProjectId, setProject] = useState('')
  const [assigneeId, setAssignee] = useState('')
  const projectId = selectedProjectId === '' ? projects[0]?.id : selectedProjectId
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (projectId === undefined) return
    close()
    const result = await write(
      'create_task_from_source',
      {
        source_type: source.type,
        source_id: source.id,
        project_id: projectId,
        title: title.trim(),
        ...(assigneeId !== '' && { assignee_ids: [assigneeId] }),
      },
      { text: words.done(title.trim()) },
    )
    if (result.state === 'done') onCreated()
  }
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <label>
        {words.name}
        <input
          data-autofocus
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          required
          maxLength={500}
          dir="auto"
        />
      </label>
      <div className={planning.pair}>
        <label>
          {words.project}
          <select value={projectId} onChange={(event) => setProject(event.currentTarget.value)}>
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.assignee}
          <select value={assigneeId} onChange={(event) => setAssignee(event.currentTarget.value)}>
            <option value="">{words.nobody}</option>
            {people.map(({ id, display_name: name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <button
        type="submit"
        className={planning.primary}
        disabled={title.trim() === '' || projectId === undefined}
      >
        {words.action}
      </button>
    </form>
  )
}
