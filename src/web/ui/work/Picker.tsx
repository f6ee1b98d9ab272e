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
  const [selectedIndex, setSelectedIndex] = useState<number>()
  const listId = useId()
  const options = choices(query.trim())
  const activeIndex = Math.min(selectedIndex ?? initialIndex(options, query), options.length - 1)
  const pick = (option: Choice<V> | undefined) => {
    if (!option) return
    choose(option.value)
    if (!isMultiple) close()
  }
  const chooseAndLeave = (step: number) => {
    if (query !== '' || selectedIndex !== undefined) pick(options[activeIndex])
    close()
    setTimeout(() => start.leave?.(step)) // once this list has given the focus back
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined)
      setSelectedIndex((activeIndex + step + options.length) % Math.max(1, options.length))
    else if (event.key === 'Enter') pick(options[activeIndex])
    else if (event.key === 'Tab' && start.leave) chooseAndLeave(event.shiftKey ? -1 : 1)
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
          setSelectedIndex(undefined)
          onQuery?.(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
        placeholder={label}
        aria-label={label}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={options.length > 0 ? `${listId}-${activeIndex}` : undefined}
        maxLength={200}
      />
      <Options
        {...{ label, options, activeIndex, isMultiple, pick }}
        id={listId}
        highlight={setSelectedIndex}
      />
    </Popup>
  )
}

/** Index of the initial option: the selected one, until something is typed. */
function initialIndex(options: readonly Choice<unknown>[], query: string): number {
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
  activeIndex: number
  isMultiple: boolean
  highlight: (index: number) => void
  pick: (option: Choice<V>) => void
}

function Options<V>({
  id,
  label,
  options,
  activeIndex,
  isMultiple,
  highlight,
  pick,
}: OptionsProps<V>) {
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
      {options.map((option, index) => (
        <Box
          key={option.id ?? `${option.label} ${option.hint ?? ''}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={isMultiple ? option.isChosen === true : index === activeIndex}
          data-here={index === activeIndex || undefined}
          className={styles.option}
          ref={(node: HTMLDivElement | null) => {
            if (index === activeIndex) node?.scrollIntoView({ block: 'nearest' })
          }}
          onMouseMove={() => highlight(index)}
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
  const matches = wordFilter(query)
  return choices.filter(({ label }) => matches(label))
}
