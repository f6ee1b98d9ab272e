import { useList } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { QueryContent } from '../../../ui/states.tsx'
import type { Channel } from '../data/rows.ts'
import { MessageHit } from './FoundMessage.tsx'
import styles from './side.module.css'

/** Messages pinned to a channel, newest first. */
export function PinsPanel({ channel }: { channel: Channel }) {
  const pins = useList('list_messages', { channel_id: channel.id, pinned: true, limit: 100 })
  return (
    <div className={styles.scroller}>
      <QueryContent query={pins}>
        {() =>
          pins.items.length === 0 ? (
            <p className={styles.quiet}>{t.chat.pins.none}</p>
          ) : (
            <ul className={styles.found} aria-label={t.chat.pins.title}>
              {pins.items.map((message) => (
                <MessageHit key={message.id} message={message} />
              ))}
            </ul>
          )
        }
      </QueryContent>
    </div>
  )
}
