import { useDebouncedValue } from '@mantine/hooks'
import { IconCalendar, IconClock, IconFolder, IconSubtask, IconTag } from '@tabler/icons-react'
import { useId, type KeyboardEvent } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { longDay } from '../../../ui/work/days.ts'
import { PriorityIcon } from '../../../ui/work/states.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { useLabels, usePeople, useProjects } from '../data/lists.ts'
import { useDraft, deleteDraft } from '../../../ui/work/kept-drafts.ts'
import { createNewTask, type NewTask } from './create.ts'
import { findNamed, parseTaskLine } from './line.ts'
import { openTemplateDialog } from '../templates/open.ts'
import { closeTaskForm, useTaskFormStart, type TaskStart } from './open.ts'
import styles from './create.module.css'

/** The one-line form for new tasks, available everywhere. */
export function QuickAdd() {
  const start = useTaskFormStart()
  return (
    <Dialog
      isOpen={start !== undefined}
      close={closeTaskForm}
      title={t.tasks.create.title}
      hasHeader={false}
      className={styles.dialog}
    >
      {start && <QuickAddForm start={start} />}
    </Dialog>
  )
}

const draftKey = 'new task'

function QuickAddForm({ start }: { start: TaskStart }) {
  const [text, setText] = useDraft(draftKey, '')
  const [description, setDescription] = useDraft(`${draftKey} description`, '')
  const hintId = useId()
  const { task, unknownNames, isReading } = useParsedLine(text, start)
  const canSend = task !== undefined && unknownNames.length === 0 && !isReading
  const send = (shouldStayOpen: boolean) => {
    if (!task || !canSend) return
    void createNewTask({ ...task, description: description.trim() })
    for (const key of [draftKey, `${draftKey} description`]) deleteDraft(key)
    setText('')
    setDescription('')
    if (!shouldStayOpen) closeTaskForm()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const isDescription = event.currentTarget.tagName === 'TEXTAREA'
    if (isDescription && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    send(!isDescription && (event.ctrlKey || event.metaKey))
  }
  return (
    <>
      <input
        className={styles.line}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        placeholder={t.tasks.create.placeholder}
        aria-label={t.tasks.create.line}
        aria-describedby={hintId}
        maxLength={600}
        dir="auto"
      />
      <textarea
        className={styles.about}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        rows={2}
        placeholder={t.tasks.addDescription}
        aria-label={t.tasks.fields.description}
        maxLength={50_000}
        dir="auto"
      />
      <ParsedValues task={task} start={start} unknownNames={unknownNames} />
      <Foot
        hintId={hintId}
        project={task?.project.key ?? start.project}
        {...(canSend && { send: () => send(false) })}
      />
    </>
  )
}

interface FootProps {
  hintId: string
  project: string | undefined
  /** Absent if there is nothing to create. */
  send?: () => void
}

function Foot({ hintId, project, send }: FootProps) {
  return (
    <footer className={styles.foot}>
      <span id={hintId} className={styles.hint}>
        {t.tasks.create.hint}
      </span>
      <button
        type="button"
        className={styles.other}
        onClick={() => {
          closeTaskForm()
          openTemplateDialog({ project })
        }}
      >
        {t.tasks.create.template}
      </button>
      <button type="button" className={styles.send} disabled={!send} onClick={send}>
        {t.tasks.create.button} <KeyCombo command="text.make" />
      </button>
    </footer>
  )
}

interface ParsedLine {
  task: NewTask | undefined
  /** Names that were not found. */
  unknownNames: string[]
  /** The day is being looked up. */
  isReading: boolean
}

/** Parses the line and resolves its names. */
function useParsedLine(text: string, start: TaskStart): ParsedLine {
  const people = usePeople()
  const labels = useLabels()
  const projects = useProjects()
  const line = parseTaskLine(text)
  const day = useParsedDay(line.due)
  const project =
    findNamed(line.project ?? start.project ?? '', projects, ({ key, name }) => [key, name]) ??
    (line.project === undefined ? projects[0] : undefined)
  const matches = line.people.map((name) =>
    findNamed(name, people, (person) => [person.display_name, person.email]),
  )
  const labelMatches = line.labels.map((name) => findNamed(name, labels, (label) => [label.name]))
  const unknown = [
    ...line.people.filter((_, index) => matches[index] === undefined).map((name) => `@${name}`),
    ...line.labels
      .filter((_, index) => labelMatches[index] === undefined)
      .map((name) => `+${name}`),
    ...(line.project !== undefined && !project ? [`#${line.project}`] : []),
    ...(day.isUnknown ? [`due ${line.due}`] : []),
  ]
  const assignees = matches
    .filter((person) => person !== undefined)
    .map((person) => ({ id: person.id, title: person.display_name }))
  const task = project && {
    title: line.title,
    project: { id: project.id, key: project.key, title: project.name },
    statuses: project.statuses,
    status: start.status,
    priority: line.priority ?? start.priority ?? 'none',
    assignees: assignees.length > 0 || !start.assignee ? assignees : [start.assignee],
    labels: labelMatches
      .filter((label) => label !== undefined)
      .map((label) => ({ id: label.id, title: label.name })),
    day: day.value,
    minutes: line.minutes,
    parent: start.parent,
  }
  return {
    task: line.title === '' ? undefined : task,
    unknownNames: unknown,
    isReading: day.isReading,
  }
}

/** The day for a phrase, parsed by the server. */
function useParsedDay(phrase: string | undefined) {
  const [debouncedPhrase] = useDebouncedValue(phrase, 150)
  const { data, error } = useOperation(
    'get_current_time',
    { phrase: debouncedPhrase ?? '' },
    { enabled: debouncedPhrase !== undefined, staleTime: 60_000 },
  )
  if (phrase === undefined) return { value: undefined, isReading: false, isUnknown: false }
  const isCurrent = phrase === debouncedPhrase
  const value = isCurrent ? data?.resolved?.from_local.slice(0, 10) : undefined
  return {
    value,
    isReading: !isCurrent || (data === undefined && error === null),
    isUnknown: isCurrent && (error !== null || (data !== undefined && value === undefined)),
  }
}

interface ParsedValuesProps {
  task: NewTask | undefined
  start: TaskStart
  unknownNames: readonly string[]
}

/** Parsed values, shown while typing. */
function ParsedValues({ task, start, unknownNames }: ParsedValuesProps) {
  return (
    <p className={styles.understood} role="status">
      {task && (
        <>
          <span className={styles.chip}>
            <IconFolder size={13} aria-hidden /> {task.project.title}
          </span>
          {start.parent && (
            <span className={styles.chip}>
              <IconSubtask size={13} aria-hidden /> {start.parent.title}
            </span>
          )}
          {task.priority !== 'none' && (
            <span className={styles.chip}>
              <PriorityIcon priority={task.priority} size={13} />{' '}
              {t.tasks.priorities[task.priority]}
            </span>
          )}
          {task.assignees.map((person) => (
            <span key={person.id} className={styles.chip}>
              <Face id={person.id} name={person.title} size={16} /> {person.title}
            </span>
          ))}
          {task.day !== undefined && (
            <span className={styles.chip}>
              <IconCalendar size={13} aria-hidden /> {longDay(task.day)}
            </span>
          )}
          {task.minutes !== undefined && (
            <span className={styles.chip}>
              <IconClock size={13} aria-hidden /> {t.items.minutes(task.minutes)}
            </span>
          )}
          {task.labels.map((label) => (
            <span key={label.id} className={styles.chip}>
              <IconTag size={13} aria-hidden /> {label.title}
            </span>
          ))}
        </>
      )}
      {unknownNames.map((name) => (
        <span key={name} className={styles.unknown}>
          {t.tasks.create.unknown(name)}
        </span>
      ))}
    </p>
  )
}
