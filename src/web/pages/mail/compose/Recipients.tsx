import { useDebouncedValue } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { wordFilter } from '../../../ui/work/text-filter.ts'
import { usePeople } from '../../tasks/data/lists.ts'
import { mailTexts as t } from '../texts.ts'
import styles from './compose.module.css'
import { addressText, isMailAddress } from './composition.ts'

interface RecipientsProps {
  label: string
  addresses: readonly string[]
  change: (addresses: string[]) => void
  autoFocus?: boolean
}

const maxShown = 8

/**
 * Recipients of a mail: colleagues and contacts are completed, Enter or a comma accepts the input, Backspace removes
 * the last one.
 */
export function Recipients({ label, addresses, change, autoFocus = false }: RecipientsProps) {
  const [text, setText] = useState('')
  const listId = useId()
  const suggestions = useAddressSuggestions(text)
  const add = (input: string) => {
    const added = input
      .split(/[,;]/)
      .map((name) => name.trim())
      .filter((name) => name !== '' && !addresses.includes(name))
    if (added.length > 0) change([...addresses, ...added])
    setText('')
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    const isAccepted = (event.key === 'Enter' && text.trim() !== '') || event.key === ','
    if (isAccepted) {
      event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '') change(addresses.slice(0, -1))
  }
  return (
    <div className={styles.line}>
      <label htmlFor={`${listId}-input`}>{label}</label>
      <div className={styles.addresses}>
        {addresses.map((address) => (
          <span
            key={address}
            className={styles.address}
            data-wrong={!isMailAddress(address) || undefined}
          >
            <span dir="auto">{address}</span>
            <button
              type="button"
              aria-label={t.mailbox.compose.takeOut(address)}
              onClick={() => change(addresses.filter((other) => other !== address))}
            >
              <IconX size={12} aria-hidden />
            </button>
          </span>
        ))}
        <input
          id={`${listId}-input`}
          value={text}
          list={listId}
          autoComplete="off"
          dir="auto"
          data-autofocus={autoFocus || undefined}
          onChange={(event) => {
            const newText = event.currentTarget.value
            if (suggestions.includes(newText)) add(newText)
            else setText(newText)
          }}
          onKeyDown={handleKeyDown}
          onBlur={() => add(text)}
        />
        <datalist id={listId}>
          {suggestions.map((address) => (
            <option key={address} value={address} />
          ))}
        </datalist>
      </div>
    </div>
  )
}

/** Addresses of colleagues and contacts that match the typed text. */
function useAddressSuggestions(text: string): string[] {
  const [debouncedQuery] = useDebouncedValue(text.trim(), 150)
  const people = usePeople()
  const { data } = useOperation(
    'search_contacts',
    { query: debouncedQuery, limit: maxShown },
    { enabled: debouncedQuery.length >= 2, staleTime: 60_000 },
  )
  if (text.trim() === '') return []
  const colleagues = people.map(({ display_name, email }) =>
    addressText({ name: display_name, email }),
  )
  const contacts = (data?.items ?? []).flatMap(({ contact }) => {
    const [email] = contact?.emails ?? []
    return contact && email !== undefined ? [addressText({ name: contact.name, email })] : []
  })
  return [...new Set([...colleagues, ...contacts])].filter(wordFilter(text)).slice(0, maxShown)
}
