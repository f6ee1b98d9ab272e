import { useState, type FormEvent } from 'react'
import { write } from '../../../store/index.ts'
import { templates as texts } from '../../../texts/en/tasks/templates.ts'
import { QueryContent } from '../../../ui/states.tsx'
import { addDays, dayOf, longDay } from '../../../ui/work/days.ts'
import form from '../../planning/planning.module.css'
import { usePeople, useProjects } from '../data/lists.ts'
import { invalidateTemplates, useTemplates, type TaskTemplate } from './data.ts'
import { closeTemplateDialog } from './open.ts'
import { fillTitle, readOutline, countOutlineTasks, type OutlineNode } from './outline.ts'
import styles from './templates.module.css'

interface UseTemplateProps {
  /** The key or id of the current project. */
  projectRef: string | undefined
  templateId: string | undefined
}

/** Creates tasks from a template. */
export function UseTemplate({ projectRef, templateId }: UseTemplateProps) {
  const templates = useTemplates()
  return (
    <QueryContent query={templates}>
      {() =>
        templates.items.length === 0 ? (
          <p className={styles.quiet}>{texts.none}</p>
        ) : (
          <TemplateForm
            templates={templates.items}
            initialId={templateId}
            projectRef={projectRef}
          />
        )
      }
    </QueryContent>
  )
}

interface TemplateFormProps {
  templates: readonly TaskTemplate[]
  initialId: string | undefined
  projectRef: string | undefined
}

function TemplateForm({ templates, initialId, projectRef }: TemplateFormProps) {
  const [selectedId, setSelectedId] = useState(initialId)
  const template = templates.find(({ id }) => id === selectedId) ?? templates[0]
  if (!template) return null
  return (
    <>
      <div className={form.form}>
        <label>
          {texts.template}
          <select
            data-autofocus
            value={template.id}
            onChange={(event) => setSelectedId(event.currentTarget.value)}
          >
            {templates.map(({ id, name, project }) => (
              <option key={id} value={id}>
                {project === undefined ? name : texts.in(name, project.title)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Details key={template.id} template={template} project={projectRef} />
    </>
  )
}

/** Inputs of a template, and a preview of the tasks. */
function Details({ template, project }: { template: TaskTemplate; project: string | undefined }) {
  const projects = useProjects().filter(({ status }) => status !== 'archived')
  const people = usePeople()
  const [chosenId, setChosenId] = useState<string>()
  const [startOn, setStartOn] = useState(dayOf())
  const [assignee, setAssignee] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const targetRef = chosenId ?? project ?? template.project?.id
  const target =
    projects.find(({ id, key }) => id === targetRef || key === targetRef) ?? projects[0]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!target) return
    closeTemplateDialog()
    void createFromTemplate(template, {
      project_id: target.id,
      start_on: startOn,
      variables: values,
      ...(assignee !== '' && { assignee_ids: [assignee] }),
    })
  }
  return (
    <form className={`${form.form} ${styles.details}`} onSubmit={submit}>
      <label>
        {texts.project}
        <select
          value={target?.id ?? ''}
          onChange={(event) => setChosenId(event.currentTarget.value)}
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {template.variables.map((name) => (
        <label key={name}>
          {name}
          <input
            value={values[name] ?? ''}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            required
            maxLength={5000}
            dir="auto"
          />
        </label>
      ))}
      <div className={form.pair}>
        <label>
          {texts.startsOn}
          <input
            type="date"
            value={startOn}
            onChange={(event) => setStartOn(event.currentTarget.value)}
            required
          />
        </label>
        <label>
          {texts.assignee}
          <select value={assignee} onChange={(event) => setAssignee(event.currentTarget.value)}>
            <option value="">{texts.noOne}</option>
            {people.map(({ id, display_name: name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Preview template={template} values={values} startOn={startOn} />
      <button type="submit" className={form.primary} disabled={!target}>
        {texts.create}
      </button>
    </form>
  )
}

interface PreviewProps {
  template: TaskTemplate
  values: Readonly<Record<string, string>>
  startOn: string
}

function Preview({ template, values, startOn }: PreviewProps) {
  const outline = readOutline(template.outline)
  return (
    <section className={styles.preview} aria-label={texts.willBe(countOutlineTasks(outline))}>
      <p className={styles.quiet}>{texts.willBe(countOutlineTasks(outline))}</p>
      <Nodes nodes={[outline]} values={values} startOn={startOn} />
    </section>
  )
}

interface NodesProps {
  nodes: readonly OutlineNode[]
  values: Readonly<Record<string, string>>
  startOn: string
}

function Nodes({ nodes, values, startOn }: NodesProps) {
  return (
    <ul>
      {nodes.map((node) => (
        <li key={node.path}>
          <span dir="auto">{fillTitle(node.title, values)}</span>
          {node.dueOffset !== undefined && startOn !== '' && (
            <span className={styles.quiet}>
              {' '}
              {texts.due(longDay(addDays(startOn, node.dueOffset)))}
            </span>
          )}
          {node.subtasks.length > 0 && (
            <Nodes nodes={node.subtasks} values={values} startOn={startOn} />
          )}
        </li>
      ))}
    </ul>
  )
}

interface TemplateValues {
  project_id: string
  start_on: string
  variables: Record<string, string>
  assignee_ids?: string[]
}

async function createFromTemplate(
  { id, name, outline }: TaskTemplate,
  templateValues: TemplateValues,
): Promise<void> {
  const count = countOutlineTasks(readOutline(outline))
  await write(
    'create_task_from_template',
    { template_id: id, ...templateValues },
    { text: texts.made(name, count), noticeSeconds: 20 },
  )
  await invalidateTemplates() // updates their usage counts
}
