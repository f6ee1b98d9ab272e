import { useState } from 'react'
import { taskImport as words } from '../../../texts/en/imports/tasks.ts'
import planning from '../../planning/planning.module.css'
import { useProjects, type Project } from '../../tasks/data/lists.ts'
import { useImportRun } from '../run.ts'
import { RunView } from '../RunView.tsx'
import { useImportSource } from '../source.ts'
import { SourceFields } from '../SourceFields.tsx'
import { readTextFile } from '../text-file.ts'
import { taskImportInput, outcomeOfCall, outcomeOfJob } from './data.ts'
import { ImportedTasks } from './TaskMade.tsx'
import { TaskPlanView } from './TaskPlanView.tsx'

const accept = '.csv,.tsv,.txt,.json,text/csv,application/json'

/** Imports tasks into a project, after a preview of each row. */
export function ImportTasks({ project: initialProject }: { project: string | undefined }) {
  const projects = useProjects().filter(({ status }) => status !== 'archived')
  const [targetId, setTargetId] = useState<string>()
  const projectRef = targetId ?? initialProject
  const project =
    projects.find(({ id, key }) => id === projectRef || key === projectRef) ?? projects[0]
  if (!project) return <p className={planning.quiet}>{words.noProject}</p>
  return <ImportForm project={project} projects={projects} setInto={setTargetId} />
}

interface ImportFormProps {
  project: Project
  projects: readonly Project[]
  setInto: (id: string) => void
}

function ImportForm({ project, projects, setInto }: ImportFormProps) {
  const source = useImportSource(readTextFile)
  const { run, begin, startOver } = useImportRun({
    operation: 'import_tasks',
    source,
    outcomeOfCall: outcomeOfCall(project.name),
    outcomeOfJob: outcomeOfJob(project.name),
  })
  if (run)
    return (
      <RunView run={run} startOver={startOver}>
        {(outcome) => <ImportedTasks outcome={outcome} project={project} />}
      </RunView>
    )
  const chosenSource = source.source
  return (
    <div className={planning.form}>
      <label>
        {words.project}
        <select value={project.id} onChange={(event) => setInto(event.currentTarget.value)}>
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <SourceFields source={source} about={words.about} accept={accept} />
      {chosenSource && (
        <TaskPlanView
          key={`${chosenSource.serial} ${project.id}`}
          source={chosenSource}
          project={project}
          begin={(options) =>
            void begin(taskImportInput(chosenSource, project.id, options, false), chosenSource.name)
          }
        />
      )}
    </div>
  )
}
