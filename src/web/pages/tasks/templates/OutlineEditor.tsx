import { Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { templates as texts } from '../../../texts/en/tasks/templates.ts'
import { ButtonMenu } from '../../../ui/actions/ButtonMenu.tsx'
import { addRow, moveRow, removeRow, shiftRow, type OutlineRow } from './outline-rows.ts'
import settings from '../../planning/settings/settings.module.css'
import styles from './templates.module.css'

type Rows = readonly OutlineRow[]
type RowAction = keyof typeof texts.actions

const actions: Readonly<Record<RowAction, (rows: Rows, index: number) => OutlineRow[]>> = {
  add: addRow,
  deeper: (rows, index) => shiftRow(rows, index, 1),
  higher: (rows, index) => shiftRow(rows, index, -1),
  earlier: (rows, index) => moveRow(rows, index, -1),
  later: (rows, index) => moveRow(rows, index, 1),
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
  const [focusId, setFocusId] = useState<number>()
  const titles = () => [...(list.current?.querySelectorAll<HTMLInputElement>('[data-title]') ?? [])]
  useEffect(() => {
    if (focusId === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-title="${focusId}"]`)?.focus()
    setFocusId(undefined)
  }, [focusId])
  const run = (action: RowAction, index: number) => {
    const newRows = actions[action](rows, index)
    setRows(newRows)
    if (action === 'add') setFocusId(newRows[index + 1]?.id)
    else setFocusId(rows[action === 'remove' ? Math.max(0, index - 1) : index]?.id)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, index: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const action = actionOf(event, rows, index)
    if (action) run(action, index)
    else if (step !== undefined && hasNoModifier(event)) titles()[index + step]?.focus()
    else return
    event.preventDefault()
  }
  const set = (index: number, change: Partial<OutlineRow>) =>
    setRows(rows.map((row, n) => (n === index ? { ...row, ...change } : row)))
  return (
    <fieldset className={styles.outline}>
      <legend>{texts.tasks}</legend>
      <p className={styles.quiet}>{texts.outlineHelp}</p>
      <ul ref={list}>
        {rows.map((row, index) => (
          <OutlineLine
            key={row.id}
            row={row}
            isFirst={index === 0}
            set={(change) => set(index, change)}
            run={(action) => run(action, index)}
            onKeyDown={(event) => onKeyDown(event, index)}
          />
        ))}
      </ul>
    </fieldset>
  )
}

const hasNoModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) =>
  !altKey && !ctrlKey && !metaKey && !shiftKey

/** Action of a key in the title of a task. */
function actionOf(event: KeyboardEvent, rows: Rows, index: number): RowAction | undefined {
  if (event.nativeEvent.isComposing) return undefined
  if (event.altKey && event.shiftKey) return arrows[event.key]
  if (!hasNoModifier(event)) return undefined
  if (event.key === 'Enter') return 'add'
  const isEmpty = index > 0 && rows[index]?.title === ''
  return event.key === 'Backspace' && isEmpty ? 'remove' : undefined
}

interface OutlineLineProps {
  row: OutlineRow
  isFirst: boolean
  set: (change: Partial<OutlineRow>) => void
  run: (action: RowAction) => void
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
}

function OutlineLine({ row, isFirst, set, run, onKeyDown }: OutlineLineProps) {
  const { id, level, title, due } = row
  return (
    <li style={{ marginInlineStart: level * 16 }}>
      <input
        value={title}
        aria-label={texts.taskTitle}
        data-title={id}
        required
        maxLength={500}
        dir="auto"
        onChange={(event) => set({ title: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <input
        type="number"
        className={styles.days}
        value={due}
        aria-label={texts.dueOf(title)}
        placeholder={texts.days}
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
  const [isOpened, setOpened] = useState(false)
  const label = texts.changeOf(title)
  const dots = <IconDots size={15} aria-hidden />
  if (!isOpened)
    return (
      <button
        type="button"
        className={settings.icon}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={() => setOpened(true)}
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
      {(Object.keys(texts.actions) as RowAction[])
        .filter((action) => action === 'add' || !isFirst)
        .map((action) => (
          <Menu.Item key={action} onClick={() => run(action)}>
            {texts.actions[action]}
          </Menu.Item>
        ))}
    </ButtonMenu>
  )
}
