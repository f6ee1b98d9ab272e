import { Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { templates as words } from '../../../texts/en/tasks/templates.ts'
import { ButtonMenu } from '../../../ui/actions/ButtonMenu.tsx'
import { addRow, moveRow, removeRow, shiftRow, type OutlineRow } from './outline-rows.ts'
import settings from '../../planning/settings/settings.module.css'
import styles from './templates.module.css'

type Rows = readonly OutlineRow[]
type RowAction = keyof typeof words.actions

const actions: Readonly<Record<RowAction, (rows: Rows, at: number) => OutlineRow[]>> = {
  add: addRow,
  deeper: (rows, at) => shiftRow(rows, at, 1),
  higher: (rows, at) => shiftRow(rows, at, -1),
  earlier: (rows, at) => moveRow(rows, at, -1),
  later: (rows, at) => moveRow(rows, at, 1),
  remove: removeRow,
}

const arrows: Readonly<Record<string, RowAction>> = {
  ArrowRight: 'deeper',
  ArrowLeft: 'higher',
  ArrowUp: 'earlier',
  ArrowDown: 'later',
}

interface OutlineEditorProps {
  rows: Rows
  setRows: (rows: OutlineRow[]) => void
}

/** The tasks of a template as an outline, edited by keyboard or with a menu per task. */
export function OutlineEditor({ rows, setRows }: OutlineEditorProps) {
  const list = useRef<HTMLUListElement>(null)
  const [wanted, setWanted] = useState<number>()
  const titles = () => [...(list.current?.querySelectorAll<HTMLInputElement>('[data-title]') ?? [])]
  useEffect(() => {
    if (wanted === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-title="${wanted}"]`)?.focus()
    setWanted(undefined)
  }, [wanted])
  const run = (action: RowAction, at: number) => {
    const next = actions[action](rows, at)
    setRows(next)
    if (action === 'add') setWanted(next[at + 1]?.id)
    else setWanted(rows[action === 'remove' ? Math.max(0, at - 1) : at]?.id)
  }
  const pressed = (event: KeyboardEvent<HTMLInputElement>, at: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const action = actionOf(event, rows, at)
    if (action) run(action, at)
    else if (step !== undefined && hasNoModifier(event)) titles()[at + step]?.focus()
    else return
    event.preventDefault()
  }
  const set = (at: number, change: Partial<OutlineRow>) =>
    setRows(rows.map((row, n) => (n === at ? { ...row, ...change } : row)))
  return (
    <fieldset className={styles.outline}>
      <legend>{words.tasks}</legend>
      <p className={styles.quiet}>{words.outlineHelp}</p>
      <ul ref={list}>
        {rows.map((row, at) => (
          <OutlineLine
            key={row.id}
            row={row}
            isFirst={at === 0}
            set={(change) => set(at, change)}
            run={(action) => run(action, at)}
            pressed={(event) => pressed(event, at)}
          />
        ))}
      </ul>
    </fieldset>
  )
}

const hasNoModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) =>
  !altKey && !ctrlKey && !metaKey && !shiftKey

/** Action of a key in the title of a task. */
function actionOf(event: KeyboardEvent, rows: Rows, at: number): RowAction | undefined {
  if (event.nativeEvent.isComposing) return undefined
  if (event.altKey && event.shiftKey) return arrows[event.key]
  if (!hasNoModifier(event)) return undefined
  if (event.key === 'Enter') return 'add'
  const isEmpty = at > 0 && rows[at]?.title === ''
  return event.key === 'Backspace' && isEmpty ? 'remove' : undefined
}

interface OutlineLineProps {
  row: OutlineRow
  isFirst: boolean
  set: (change: Partial<OutlineRow>) => void
  run: (action: RowAction) => void
  pressed: (event: KeyboardEvent<HTMLInputElement>) => void
}

function OutlineLine({ row, isFirst, set, run, pressed }: OutlineLineProps) {
  const { id, level, title, due } = row
  return (
    <li style={{ marginInlineStart: level * 16 }}>
      <input
        value={title}
        aria-label={words.taskTitle}
        data-title={id}
        required
        maxLength={500}
        dir="auto"
        onChange={(event) => set({ title: event.currentTarget.value })}
        onKeyDown={pressed}
      />
      <input
        type="number"
        className={styles.days}
        value={due}
        aria-label={words.dueOf(title)}
        placeholder={words.days}
        min={-3660}
        max={3660}
        onChange={(event) => set({ due: event.currentTarget.value })}
      />
      <LineMenu title={title} isFirst={isFirst} run={run} />
    </li>
  )
}

/** Actions on a task, for pointer users. */
function LineMenu({
  title,
  isFirst,
  run,
}: Pick<OutlineLineProps, 'isFirst' | 'run'> & { title: string }) {
  const [isWanted, setWanted] = useState(false)
  const label = words.changeOf(title)
  const dots = <IconDots size={15} aria-hidden />
  if (!isWanted)
    return (
      <button
        type="button"
        className={settings.icon}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={() => setWanted(true)}
      >
        {dots}
      </button>
    )
  const button = (
    <button type="button" className={settings.icon} aria-label={label}>
      {dots}
    </button>
  )
  return (
    <ButtonMenu button={button} width={210}>
      {(Object.keys(words.actions) as RowAction[])
        .filter((action) => action === 'add' || !isFirst)
        .map((action) => (
          <Menu.Item key={action} onClick={() => run(action)}>
            {words.actions[action]}
          </Menu.Item>
        ))}
    </ButtonMenu>
  )
}
