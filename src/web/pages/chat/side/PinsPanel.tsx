import { useList } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { Shown } from '../../../ui/states.tsx'
import type { Channel } from '../data/rows.ts'
import { FoundMessage } from './FoundMessage.tsx'
import styles from './side.module.css'

/** What is pinned to a channel, the newest first. */
export function PinsPanel({ channel }: { channel: Channel }) {
  const found = useList('list_messages', { channel_id: channel.id, pinned: true, limit: 100 })
  return (
    <div className={styles.scroller}>
      <Shown of={found}>
        {() =>
          found.items.length === 0 ? (
            <p className={styles.quiet}>{t.chat.pins.none}</p>
          ) : (
            <ul className={styles.found} aria-label={t.chat.pins.title}>
              {found.items.map((message) => (
                <FoundMessage key={message.id} message={message} />
              ))}
            </ul>
          )
        }
      </Shown>
    </div>
  )
}
