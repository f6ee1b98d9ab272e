import { IconMessageCircle, IconPin } from '@tabler/icons-react'
import { memo } from 'react'
import { useIsUnconfirmed, useRow } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { ago, formatMoment } from '../../../ui/times.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { isUnsent, type Message } from '../data/rows.ts'
import { EditMessage } from '../compose/EditMessage.tsx'
import { isUsable, threadPath } from '../list/actions.ts'
import { AssistantWork } from './AssistantWork.tsx'
import { Attachments } from './Attachments.tsx'
import { authorOf } from './author.ts'
import styles from './message.module.css'
import { MessageText } from './MessageText.tsx'
import { MessageTools } from './MessageTools.tsx'
import { useIsEditing } from '../list/open.ts'
import { Reactions } from './Reactions.tsx'

interface MessageRowProps {
  id: string
  /** It is grouped with the one above, by the same author. */
  isJoined: boolean
  /** It is focused or hovered. */
  hasTools: boolean
  /** It is in the tab order. */
  isFocusable: boolean
  /** It is the message of the address. */
  isMarked: boolean
  isInThread?: boolean | undefined
  /** Its position in the list, from 1. */
  index: number
}

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** One message; rerendered only when it changes. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { id, isJoined, hasTools, isFocusable, isMarked, isInThread = false, index } = props
  const message = useRow('message', id)
  const isEditing = useIsEditing(id)
  if (!message) return null
  return (
    <article
      data-message={id}
      className={styles.message}
      data-joined={isJoined || undefined}
      data-marked={isMarked || undefined}
      data-pinned={message.pinned || undefined}
      data-current={hasTools || undefined}
      tabIndex={isFocusable ? 0 : -1}
      aria-posinset={index}
      aria-setsize={-1}
      aria-label={`${authorOf(message).name}, ${timeFormat.format(new Date(message.sent_at))}`}
    >
      <Gutter message={message} isJoined={isJoined} />
      <div className={styles.body}>
        {!isJoined && <Head message={message} isInThread={isInThread} />}
        {isEditing ? <EditMessage message={message} /> : <MessageContent message={message} />}
        {!isInThread && <ThreadLink message={message} />}
      </div>
      {hasTools && !isEditing && isUsable(message) && (
        <MessageTools message={message} isInThread={isInThread} />
      )}
    </article>
  )
})

function Gutter({ message, isJoined }: { message: Message; isJoined: boolean }) {
  const { id, name, kind } = authorOf(message)
  if (!isJoined)
    return (
      <span className={styles.gutter}>
        <Face id={id} name={name} kind={kind} size={32} />
      </span>
    )
  return (
    <time
      className={styles.gutterTime}
      dateTime={message.sent_at}
      title={formatMoment(message.sent_at)}
    >
      {timeFormat.format(new Date(message.sent_at))}
    </time>
  )
}

function Head({ message, isInThread }: { message: Message; isInThread: boolean }) {
  const { name, note } = authorOf(message)
  return (
    <header className={styles.head}>
      <strong dir="auto">{name}</strong>
      {note !== undefined && <span className={styles.note}>{note}</span>}
      <time dateTime={message.sent_at} title={formatMoment(message.sent_at)}>
        {timeFormat.format(new Date(message.sent_at))}
      </time>
      {message.thread_root_id !== undefined && !isInThread && (
        <RouterLink to={threadPath(message)} className={styles.note}>
          {t.chat.repliedInThread}
        </RouterLink>
      )}
      {message.pinned && (
        <span className={styles.pinned}>
          <IconPin size={12} aria-hidden /> {t.chat.pinnedMark}
        </span>
      )}
    </header>
  )
}

function MessageContent({ message }: { message: Message }) {
  const isUnconfirmed = useIsUnconfirmed('message', message.id)
  if (message.deleted_at !== undefined) return <p className={styles.gone}>{t.chat.deleted}</p>
  return (
    <>
      <div className={styles.text} data-pending={isUnsent(message) || undefined}>
        <MessageText message={message} />
        {message.edited_at !== undefined && (
          <span className={styles.mark} title={formatMoment(message.edited_at)}>
            {t.chat.editedMark}
          </span>
        )}
        {isUnconfirmed && isUnsent(message) && (
          <span className={styles.mark}>{t.chat.sending}</span>
        )}
      </div>
      <Attachments files={message.files} />
      {message.linked_items.length > 0 && (
        <ul className={styles.links} aria-label={t.chat.linked}>
          {message.linked_items.map((item) => (
            <li key={item.id}>
              <ItemLink item={item} />
            </li>
          ))}
        </ul>
      )}
      <Reactions message={message} />
      {message.via_assistant && !isUnsent(message) && <AssistantWork message={message} />}
    </>
  )
}

function ThreadLink({ message }: { message: Message }) {
  if (message.reply_count === 0) return null
  return (
    <RouterLink to={threadPath(message)} className={styles.thread}>
      <IconMessageCircle size={14} aria-hidden />
      <strong>{t.chat.replies(message.reply_count)}</strong>
      {message.last_reply_at !== undefined && (
        <span>{t.chat.lastReply(ago(message.last_reply_at))}</span>
      )}
    </RouterLink>
  )
}
