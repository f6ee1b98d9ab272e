import { Box, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { KeyCombo } from '../keys/KeyCombo.tsx'
import { t } from '../texts/index.ts'
import { useOptions, type PaletteOption } from './options.tsx'
import styles from './palette.module.css'

/** A field with a list of results: available commands, places, and search results. */
export function PaletteBox({ close }: { close: () => void }) {
  const [query, setQuery] = useState('')
  const [selectedId, setSelectedId] = useState<string>() // by id, because late hits move the options
  const listId = useId()
  const { options, isSearching, problem, status } = useOptions(query.trim(), close)
  const activeIndex = Math.max(
    0,
    options.findIndex(({ id }) => id === selectedId),
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setSelectedId(options.at((activeIndex + step) % options.length)?.id)
    else if (event.key === 'Enter') options[activeIndex]?.go()
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className={styles.field} data-busy={isSearching || undefined}>
        <IconSearch size={18} aria-hidden />
        <input
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setSelectedId(undefined)
          }}
          onKeyDown={onKeyDown}
          // biome-ignore lint/a11y/noAutofocus: it is the field of a dialog that the person opened
          autoFocus
          placeholder={t.app.palette.placeholder}
          aria-label={t.app.palette.label}
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${listId}-${activeIndex}` : undefined}
          maxLength={500}
        />
      </div>
      <div id={listId} role="listbox" aria-label={t.app.palette.label} className={styles.list}>
        {options.map((option, i) => (
          <Option
            key={option.id}
            option={option}
            id={`${listId}-${i}`}
            isActive={i === activeIndex}
            isFirst={option.group !== options[i - 1]?.group}
            select={() => setSelectedId(option.id)}
          />
        ))}
      </div>
      {problem && <p className={styles.problem}>{problem}</p>}
      <VisuallyHidden role="status">{status}</VisuallyHidden>
    </>
  )
}

interface OptionProps {
  option: PaletteOption
  id: string
  isActive: boolean
  isFirst: boolean
  select: () => void
}

function Option({ option, id, isActive, isFirst, select }: OptionProps) {
  return (
    <>
      {isFirst && option.group !== undefined && (
        <span className={styles.group} aria-hidden>
          {option.group}
        </span>
      )}
      <Box
        id={id}
        role="option"
        aria-selected={isActive}
        className={styles.option}
        ref={(node: HTMLDivElement | null) => {
          if (isActive) node?.scrollIntoView({ block: 'nearest' })
        }}
        onMouseMove={select}
        onClick={option.go}
      >
        {option.icon}
        <span className={styles.label} dir="auto">
          {option.label}
        </span>
        {option.detail && <span className={styles.about}>{option.detail}</span>}
        {option.command && <KeyCombo command={option.command} />}
      </Box>
    </>
  )
}
