import { useState, type FormEvent } from 'react'
import { write } from '../../../store/index.ts'
import { templates as words } from '../../../texts/en/tasks/templates.ts'
import { Shown } from '../../../ui/states.tsx'
import { addDays, dayOf, longDay } from '../../../ui/work/days.ts'
import form from '../../planning/planning.module.css'
import { usePeople, useProjects } from '../data/lists.ts'
import { readTemplatesAgain, useTemplates, type TaskTemplate } from './data.ts'
import { closeTemplates } from './open.ts'
import { filledTitle, readOutline, tasksIn, type OutlineNode } from './outline.ts'
import styles from './templates.module.css'

interface UseTemplateProps {
  /** The key or id of the current project. */
  project: string | undefined
  template: string | undefined
}

/** Creates tasks from a template. */
export function UseTemplate({ project, template }: UseTemplateProps) {
  const templates = useTemplates()
  return (
    <Shown query={templates}>
      {() =>
        templates.items.length === 0 ? (
          <p className={styles.quiet}>{words.none}</p>
        ) : (
          <TemplateForm templates={templates.items} first={template} project={project} />
        )
      }
    </Shown>
  )
}

interface TemplateFormProps {
  templates: readonly TaskTemplate[]
  first: string | undefined
  project: string | undefined
}

function TemplateForm({ templates, first, project }: TemplateFormProps) {
  const [chosen, setChosen] = useState(first)
  const template = templates.find(({ id }) => id === chosen) ?? templates[0]
  if (!template) return null
  return (
    <>
      <div className={form.form}>
        <label>
          {words.template}
          <select
            data-autofocus
            value={template.id}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            {templates.map(({ id, name, project }) => (
              <option key={id} value={id}>
                {project === undefined ? name : words.in(name, project.title)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Details key={template.id} template={template} project={project} />
    </>
  )
}

/** Inputs of a template, and a preview of the tasks. */
function Details({ template, project }: { template: TaskTemplate; project: string | undefined }) {
  const projects = useProjects().filter(({ status }) => status !== 'archived')
  const people = usePeople()
  const [into, setInto] = useState<string>()
  const [startOn, setStartOn] = useState(dayOf())
  const [assignee, setAssignee] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const projectName = into ?? project ?? template.project?.id
  const target =
    projects.find(({ id, key }) => id === projectName || key === projectName) ?? projects[0]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!target) return
    closeTemplates()
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
        {words.project}
        <select value={target?.id ?? ''} onChange={(event) => setInto(event.currentTarget.value)}>
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
          {words.startsOn}
          <input
            type="date"
            value={startOn}
            onChange={(event) => setStartOn(event.currentTarget.value)}
            required
          />
        </label>
        <label>
          {words.assignee}
          <select value={assignee} onChange={(event) => setAssignee(event.currentTarget.value)}>
            <option value="">{words.noOne}</option>
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
        {words.create}
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
    <section className={styles.preview} aria-label={words.willBe(tasksIn(outline))}>
      <p className={styles.quiet}>{words.willBe(tasksIn(outline))}</p>
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
        <li key={node.place}>
          <span dir="auto">{filledTitle(node.title, values)}</span>
          {node.dueOffset !== undefined && startOn !== '' && (
            <span className={styles.quiet}>
              {' '}
              {words.due(longDay(addDays(startOn, node.dueOffset)))}
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

interface Making {
  project_id: string
  start_on: string
  variables: Record<string, string>
  assignee_ids?: string[]
}

async function createFromTemplate(
  { id, name, outline }: TaskTemplate,
  making: Making,
): Promise<void> {
  const count = tasksIn(readOutline(outline))
  await write(
    'create_task_from_template',
    { template_id: id, ...making },
    { text: words.made(name, count), noticeSeconds: 20 },
  )
  await readTemplatesAgain() // how often each was used
}
