import { IconMoodPlus } from '@tabler/icons-react'
import { useMe } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { toggleReaction } from '../data/changes.ts'
import type { Message } from '../data/rows.ts'
import styles from './message.module.css'
import { setOpenPopup } from '../list/open.ts'

/** The reactions to a message; pressing one adds or removes the reader's own. */
export function Reactions({ message }: { message: Message }) {
  const me = useMe()
  if (message.reactions.length === 0) return null
  return (
    <div className={styles.reactions}>
      {message.reactions.map(({ emoji, people }) => (
        <button
          key={emoji}
          type="button"
          className={styles.reaction}
          aria-pressed={people.some((person) => person.id === me.id)}
          aria-label={t.chat.reactedBy(
            emoji,
            people.map((person) => person.title),
          )}
          title={people.map((person) => person.title).join(', ')}
          onClick={() => toggleReaction(message, emoji, me)}
        >
          <span>{emoji}</span> {people.length}
        </button>
      ))}
      <button
        type="button"
        className={styles.addReaction}
        aria-label={t.chat.react}
        title={t.chat.react}
        onClick={(event) => setOpenPopup({ kind: 'react', message, anchor: event.currentTarget })}
      >
        <IconMoodPlus size={15} aria-hidden />
      </button>
    </div>
  )
}
