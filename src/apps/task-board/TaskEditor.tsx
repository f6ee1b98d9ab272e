import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { capitalized } from '../shared/fields.ts'
import { PlainText } from '../shared/notices.tsx'
import type { BoardProps } from './props.ts'
import { priorities, type TaskDetails } from './tasks.ts'

/**
 * Fields of an open task. Enter saves, Escape closes, and both return focus to its title. The form is never
 * submitted, since hosts may forbid that in a frame.
 */
export function TaskEditor({ task, board, host }: BoardProps & { task: TaskDetails }) {
  const first = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => first.current?.focus(), [])
  const { url } = task
  const isBusy = board.state.changing.has(task.key)
  const focusTitle = () => document.getElementById(`title-${task.key}`)?.focus()
  const close = () => {
    board.close()
    focusTitle()
  }
  const save = async () => {
    if (isBusy || !form.current?.reportValidity()) return
    const changes = changesIn(new FormData(form.current), task)
    if (Object.keys(changes).length === 0) return close()
    if (await board.save(task, changes)) focusTitle()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    void save()
  }
  return (
    <form ref={form} class="stack editor" aria-label={`Edit ${task.key}`} onKeyDown={onKeyDown}>
      <Field name="Title">
        <input ref={first} name="title" value={task.title} required maxLength={500} dir="auto" />
      </Field>
      <div class="fields">
        <Field name="Status">
          <select name="status" value={task.status}>
            {board.statusesOf(task).map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field name="Priority">
          <select name="priority" value={task.priority}>
            {priorities.map((priority) => (
              <option key={priority} value={priority}>
                {capitalized(priority)}
              </option>
            ))}
          </select>
        </Field>
        <Field name="Due" isWide={task.due?.time !== undefined}>
          <input
            name="due"
            type={task.due?.time === undefined ? 'date' : 'datetime-local'}
            value={dueValue(task)}
          />
        </Field>
      </div>
      {task.description && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, also by keyboard
        <section aria-label="Description" tabIndex={0}>
          <PlainText text={task.description} isFromOutside={task.isFromOutside} />
        </section>
      )}
      <div class="row">
        <button type="button" class="primary" disabled={isBusy} onClick={save}>
          {isBusy ? 'Saving…' : 'Save'}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
        {host.canOpenLinks && url && (
          <button type="button" onClick={() => board.openInWorkspace(url)}>
            Open in Workspace
          </button>
        )}
      </div>
    </form>
  )
}

interface FieldProps {
  name: string
  /** Whether the field takes a full line. */
  isWide?: boolean
  children: ComponentChildren
}

function Field({ name, isWide = false, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is its child
    <label class={isWide ? 'wide' : ''}>
      {name}
      {children}
    </label>
  )
}

function dueValue({ due }: TaskDetails): string {
  if (!due) return ''
  return due.time === undefined ? due.day : `${due.day}T${due.time}`
}

/** Form values that differ from the task. */
function changesIn(form: FormData, task: TaskDetails): Record<string, unknown> {
  const [title, status, priority, due] = ['title', 'status', 'priority', 'due'].map((name) =>
    String(form.get(name) ?? ''),
  )
  return {
    ...(title === task.title ? {} : { title }),
    ...(status === task.status ? {} : { status }),
    ...(priority === task.priority ? {} : { priority }),
    ...(due === dueValue(task) ? {} : { due_at: due || null }),
  }
}
