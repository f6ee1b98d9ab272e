import { t } from '../../../texts/index.ts'
import { useUnreadSum } from '../data/channels.ts'
import styles from './channels.module.css'

/** Unread count beside the name of the chat. */
export function ChatBadge() {
  const { direct, hasOther } = useUnreadSum()
  if (direct > 0)
    return (
      <span
        className={styles.count}
        data-urgent
        role="img"
        aria-label={t.chat.unreadForYou(direct)}
        title={t.chat.unreadForYou(direct)}
      >
        {t.chat.badge(direct)}
      </span>
    )
  if (!hasOther) return null
  return (
    <span
      className={styles.dot}
      role="img"
      aria-label={t.chat.hasUnread}
      title={t.chat.hasUnread}
    />
  )
}
