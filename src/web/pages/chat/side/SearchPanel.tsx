import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useList } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import type { Channel } from '../data/rows.ts'
import { MessageHit } from './FoundMessage.tsx'
import styles from './side.module.css'

const minLength = 2

/** Searches a conversation by words or meaning. */
export function SearchPanel({ channel }: { channel: Channel }) {
  const [query, setQuery] = useState('')
  const [debouncedQuery] = useDebouncedValue(query.trim(), 200)
  const isLongEnough = debouncedQuery.length >= minLength
  return (
    <div className={styles.scroller}>
      <div className={styles.searchBox}>
        <TextInput
          aria-label={t.chat.search.title}
          placeholder={t.chat.search.placeholder}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          maxLength={500}
          autoFocus
          dir="auto"
        />
      </div>
      {isLongEnough ? (
        <Results channelId={channel.id} query={debouncedQuery} />
      ) : (
        <p className={styles.quiet}>{t.chat.search.hint}</p>
      )}
    </div>
  )
}

function Results({ channelId, query }: { channelId: string; query: string }) {
  const hits = useList('search_messages', { channel_id: channelId, query, limit: 25 })
  return (
    <QueryContent query={hits}>
      {() => (
        <>
          {hits.items.length === 0 && <p className={styles.quiet}>{t.chat.search.none}</p>}
          <ul className={styles.found} aria-label={t.chat.search.title}>
            {hits.items.map(({ message, snippet }) => (
              <MessageHit key={message.id} message={message} text={snippet} />
            ))}
          </ul>
          <MoreButton query={hits} />
        </>
      )}
    </QueryContent>
  )
}
