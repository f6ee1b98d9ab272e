import { IconSearch } from '@tabler/icons-react'
import { useState, type RefObject } from 'react'
import { runCommand } from '../../keys/commands.ts'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import styles from './contacts/contacts.module.css'

interface SearchFieldProps {
  field: RefObject<HTMLInputElement | null>
  label: string
  query: string
  setQuery: (query: string) => void
}

/**
 * Filters the table while typing; Escape and Enter return to it. Keeps the typed text locally: the query may come
 * from the address, which updates later, and letters typed meanwhile would be lost.
 */
export function SearchField({ field, label, query, setQuery }: SearchFieldProps) {
  const [draftText, setDraftText] = useState<string>()
  return (
    <label className={styles.search}>
      <IconSearch size={15} stroke={1.7} aria-hidden />
      <input
        ref={field}
        type="search"
        value={draftText ?? query}
        placeholder={label}
        aria-label={label}
        onChange={(event) => {
          setDraftText(event.currentTarget.value)
          setQuery(event.currentTarget.value)
        }}
        onBlur={() => setDraftText(undefined)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && event.key !== 'Enter') return
          event.preventDefault()
          if (event.key === 'Escape') setQuery('')
          event.currentTarget.blur()
          runCommand('list.next')
        }}
        maxLength={200}
        autoComplete="off"
        dir="auto"
      />
      <KeyCombo command="view.filter" />
    </label>
  )
}
