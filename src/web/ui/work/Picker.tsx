import { Box } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import {
  createContext,
  useContext,
  useId,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { t } from '../../texts/index.ts'
import { Popup } from './Popup.tsx'
import styles from './popup.module.css'
import { wordFilter } from './text-filter.ts'

export interface Choice<V> {
  value: V
  label: string
  /** Distinguishes choices with the same label. */
  id?: string
  icon?: ReactNode
  hint?: string | undefined
  isChosen?: boolean
}

/** Initial state of a list opened by typing at a value, and the target of Tab. */
export interface PickerStart {
  query: string
  /** Tab chooses, closes the list and moves to the next (1) or previous (-1) value. */
  leave?: ((step: number) => void) | undefined
}

export const PickerStartContext = createContext<PickerStart>({ query: '' })

interface PickerProps<V> {
  anchor: Element
  label: string
  /** Choices for the typed text. */
  choices: (query: string) => readonly Choice<V>[]
  /** Chooses a value; a multiple choice stays open. */
  choose: (value: V) => void
  isMultiple?: boolean
  /** Called with the typed text, if choices must be loaded for it. */
  onQuery?: (query: string) => void
  close: () => void
}

/** A list anchored to the value it changes: typing filters it, Enter chooses, Escape cancels. */
export function Picker<V>(props: PickerProps<V>) {
  const { anchor, label, choices, choose, isMultiple = false, onQuery, close } = props
  const start = useContext(PickerStartContext)
  const [query, setQuery] = useState(start.query)
  const [at, setAt] = useState<number>()
  const list = useId()
  const options = choices(query.trim())
  const here = Math.min(at ?? firstOf(options, query), options.length - 1)
  const pick = (option: Choice<V> | undefined) => {
    if (!option) return
    choose(option.value)
    if (!isMultiple) close()
  }
  const leaveBy = (step: number) => {
    if (query !== '' || at !== undefined) pick(options[here])
    close()
    setTimeout(() => start.leave?.(step)) // once this list has given the focus back
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((here + step + options.length) % Math.max(1, options.length))
    else if (event.key === 'Enter') pick(options[here])
    else if (event.key === 'Tab' && start.leave) leaveBy(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
  }
  return (
    <Popup anchor={anchor} close={close} label={label}>
      <input
        className={styles.search}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value)
          setAt(undefined)
          onQuery?.(event.currentTarget.value)
        }}
        onKeyDown={pressed}
        placeholder={label}
        aria-label={label}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={options.length > 0 ? `${list}-${here}` : undefined}
        maxLength={200}
      />
      <Options
        id={list}
        label={label}
        options={options}
        here={here}
        isMultiple={isMultiple}
        point={setAt}
        pick={pick}
      />
    </Popup>
  )
}

/** Index of the initial option: the selected one, until something is typed. */
function firstOf(options: readonly Choice<unknown>[], query: string): number {
  return query === ''
    ? Math.max(
        0,
        options.findIndex((option) => option.isChosen),
      )
    : 0
}

interface OptionsProps<V> {
  id: string
  label: string
  options: readonly Choice<V>[]
  here: number
  isMultiple: boolean
  point: (index: number) => void
  pick: (option: Choice<V>) => void
}

function Options<V>({ id, label, options, here, isMultiple, point, pick }: OptionsProps<V>) {
  if (options.length === 0)
    return (
      <>
        <div id={id} role="listbox" aria-label={label} />
        <p className={styles.none}>{t.app.palette.nothing}</p>
      </>
    )
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      aria-multiselectable={isMultiple}
      className={styles.list}
    >
      {options.map((option, n) => (
        <Box
          key={option.id ?? `${option.label} ${option.hint ?? ''}`}
          id={`${id}-${n}`}
          role="option"
          aria-selected={isMultiple ? option.isChosen === true : n === here}
          data-here={n === here || undefined}
          className={styles.option}
          ref={(node: HTMLDivElement | null) => {
            if (n === here) node?.scrollIntoView({ block: 'nearest' })
          }}
          onMouseMove={() => point(n)}
          onClick={() => pick(option)}
        >
          {option.icon}
          <span className={styles.label} dir="auto">
            {option.label}
          </span>
          {option.hint && <span className={styles.hint}>{option.hint}</span>}
          {option.isChosen && <IconCheck size={14} className={styles.check} aria-hidden />}
        </Box>
      ))}
    </div>
  )
}

/** The choices whose label contains all words of the query, in the original order. */
export function filterChoices<V>(choices: readonly Choice<V>[], query: string): Choice<V>[] {
  const hasWords = wordFilter(query)
  return choices.filter(({ label }) => hasWords(label))
}
