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
  const [chosen, choose] = useState<string>() // by what it is: hits that arrive later move the lines
  const list = useId()
  const { options, isSearching, problem, status } = useOptions(query.trim(), close)
  const here = Math.max(
    0,
    options.findIndex(({ id }) => id === chosen),
  )
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) choose(options.at((here + step) % options.length)?.id)
    else if (event.key === 'Enter') options[here]?.go()
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
            choose(undefined)
          }}
          onKeyDown={pressed}
          // biome-ignore lint/a11y/noAutofocus: it is the field of a dialog that was asked for
          autoFocus
          placeholder={t.app.palette.placeholder}
          aria-label={t.app.palette.label}
          role="combobox"
          aria-expanded
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${list}-${here}` : undefined}
          maxLength={500}
        />
      </div>
      <div id={list} role="listbox" aria-label={t.app.palette.label} className={styles.list}>
        {options.map((option, i) => (
          <Option
            key={option.id}
            option={option}
            id={`${list}-${i}`}
            isHere={i === here}
            isFirst={option.group !== options[i - 1]?.group}
            point={() => choose(option.id)}
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
  isHere: boolean
  isFirst: boolean
  point: () => void
}

function Option({ option, id, isHere, isFirst, point }: OptionProps) {
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
        aria-selected={isHere}
        className={styles.option}
        ref={(node: HTMLDivElement | null) => {
          if (isHere) node?.scrollIntoView({ block: 'nearest' })
        }}
        onMouseMove={point}
        onClick={option.go}
      >
        {option.icon}
        <span className={styles.label} dir="auto">
          {option.label}
        </span>
        {option.about && <span className={styles.about}>{option.about}</span>}
        {option.command && <KeyCombo command={option.command} />}
      </Box>
    </>
  )
}
