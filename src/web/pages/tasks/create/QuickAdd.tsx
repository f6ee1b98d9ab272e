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
import { useDraft, forgetDraft } from '../../../ui/work/kept-drafts.ts'
import { createFrom, type NewTask } from './create.ts'
import { findNamed, readLine } from './line.ts'
import { createFromTemplate } from '../templates/open.ts'
import { closeCreation, useCreation, type TaskStart } from './open.ts'
import styles from './create.module.css'

/** The one-line form for new tasks, available everywhere. */
export function QuickAdd() {
  const start = useCreation()
  return (
    <Dialog
      isOpen={start !== undefined}
      close={closeCreation}
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
  const [about, setAbout] = useDraft(`${draftKey} description`, '')
  const hint = useId()
  const { task, unknown, isReading } = useRead(text, start)
  const canSend = task !== undefined && unknown.length === 0 && !isReading
  const send = (andAnother: boolean) => {
    if (!task || !canSend) return
    void createFrom({ ...task, description: about.trim() })
    for (const key of [draftKey, `${draftKey} description`]) forgetDraft(key)
    setText('')
    setAbout('')
    if (!andAnother) closeCreation()
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const isText = event.currentTarget.tagName === 'TEXTAREA'
    if (isText && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    send(!isText && (event.ctrlKey || event.metaKey))
  }
  return (
    <>
      <input
        className={styles.line}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={pressed}
        placeholder={t.tasks.create.placeholder}
        aria-label={t.tasks.create.line}
        aria-describedby={hint}
        maxLength={600}
        dir="auto"
      />
      <textarea
        className={styles.about}
        value={about}
        onChange={(event) => setAbout(event.currentTarget.value)}
        onKeyDown={pressed}
        rows={2}
        placeholder={t.tasks.addDescription}
        aria-label={t.tasks.fields.description}
        maxLength={50_000}
        dir="auto"
      />
      <Understood task={task} start={start} unknown={unknown} />
      <Foot
        hint={hint}
        project={task?.project.key ?? start.project}
        {...(canSend && { send: () => send(false) })}
      />
    </>
  )
}

interface FootProps {
  hint: string
  project: string | undefined
  /** Absent if there is nothing to create. */
  send?: () => void
}

function Foot({ hint, project, send }: FootProps) {
  return (
    <footer className={styles.foot}>
      <span id={hint} className={styles.hint}>
        {t.tasks.create.hint}
      </span>
      <button
        type="button"
        className={styles.other}
        onClick={() => {
          closeCreation()
          createFromTemplate({ project })
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

interface Read {
  task: NewTask | undefined
  /** Names that were not found. */
  unknown: string[]
  /** The day is being looked up. */
  isReading: boolean
}

/** Parses the line and resolves its names. */
function useRead(text: string, start: TaskStart): Read {
  const people = usePeople()
  const labels = useLabels()
  const projects = useProjects()
  const line = readLine(text)
  const day = useDay(line.due)
  const project =
    findNamed(line.project ?? start.project ?? '', projects, ({ key, name }) => [key, name]) ??
    (line.project === undefined ? projects[0] : undefined)
  const matches = line.people.map((typed) =>
    findNamed(typed, people, (person) => [person.display_name, person.email]),
  )
  const tagged = line.labels.map((typed) => findNamed(typed, labels, (label) => [label.name]))
  const unknown = [
    ...line.people.filter((_, n) => matches[n] === undefined).map((name) => `@${name}`),
    ...line.labels.filter((_, n) => tagged[n] === undefined).map((name) => `+${name}`),
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
    labels: tagged
      .filter((label) => label !== undefined)
      .map((label) => ({ id: label.id, title: label.name })),
    day: day.value,
    minutes: line.minutes,
    parent: start.parent,
  }
  return { task: line.title === '' ? undefined : task, unknown, isReading: day.isReading }
}

/** The day for a phrase, parsed by the server. */
function useDay(words: string | undefined) {
  const [asked] = useDebouncedValue(words, 150)
  const { data, error } = useOperation(
    'get_current_time',
    { phrase: asked ?? '' },
    { enabled: asked !== undefined, staleTime: 60_000 },
  )
  if (words === undefined) return { value: undefined, isReading: false, isUnknown: false }
  const isCurrent = words === asked
  const value = isCurrent ? data?.resolved?.from_local.slice(0, 10) : undefined
  return {
    value,
    isReading: !isCurrent || (data === undefined && error === null),
    isUnknown: isCurrent && (error !== null || (data !== undefined && value === undefined)),
  }
}

interface UnderstoodProps {
  task: NewTask | undefined
  start: TaskStart
  unknown: readonly string[]
}

/** Parsed values, shown while typing. */
function Understood({ task, start, unknown }: UnderstoodProps) {
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
      {unknown.map((name) => (
        <span key={name} className={styles.unknown}>
          {t.tasks.create.unknown(name)}
        </span>
      ))}
    </p>
  )
}
