import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useList } from '../../../api/queries.ts'
import { storeRows } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { joinChannel } from '../data/membership.ts'
import { channelTitle, type Channel } from '../data/rows.ts'
import styles from './channels.module.css'

interface BrowseProps {
  close: () => void
  open: (channelId: string) => void
}

/** Public channels that the reader has not joined. */
export function Browse({ close, open }: BrowseProps) {
  const [query, setQuery] = useState('')
  const [debouncedQuery] = useDebouncedValue(query.trim(), 150)
  const channels = useList('list_channels', {
    joined: false,
    limit: 50,
    ...(debouncedQuery !== '' && { query: debouncedQuery }),
  })
  const join = async (channel: Channel) => {
    storeRows('channel', [channel])
    if (!(await joinChannel(channel))) return
    close()
    open(channel.id)
  }
  return (
    <Dialog isOpen close={close} title={t.chat.browse.title}>
      <div className={styles.form}>
        <TextInput
          aria-label={t.chat.browse.filter}
          placeholder={t.chat.browse.filter}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          maxLength={200}
          data-autofocus
        />
        <QueryContent query={channels}>
          {() => (
            <>
              {channels.items.length === 0 && <p className={styles.quiet}>{t.chat.browse.none}</p>}
              <ul className={styles.browse}>
                {channels.items.map((channel) => (
                  <li key={channel.id}>
                    <span className={styles.browseText}>
                      <strong dir="auto">{channelTitle(channel)}</strong>
                      <span className={styles.browseTopic} dir="auto">
                        {[t.chat.details.members(channel.member_count), channel.topic]
                          .filter((part) => part !== undefined)
                          .join(' · ')}
                      </span>
                    </span>
                    <button
                      type="button"
                      className={styles.button}
                      onClick={() => void join(channel)}
                      aria-label={`${t.chat.browse.join} ${channelTitle(channel)}`}
                    >
                      {t.chat.browse.join}
                    </button>
                  </li>
                ))}
              </ul>
              <MoreButton query={channels} />
            </>
          )}
        </QueryContent>
      </div>
    </Dialog>
  )
}
