import { RouterLink } from '../../../ui/AppLink.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { chatPath } from '../data/address.ts'
import type { Message } from '../data/rows.ts'
import { authorOf } from '../message/author.ts'
import styles from './side.module.css'

/** A message in a result list, linked to its place. */
export function FoundMessage({ message, text }: { message: Message; text?: string }) {
  const { id, name, kind } = authorOf(message)
  const root = message.thread_root_id
  const to = {
    channelId: message.channel.id,
    messageId: root ?? message.id,
    ...(root !== undefined && { threadId: root, replyId: message.id }),
  }
  return (
    <li>
      <RouterLink to={chatPath(to)} className={styles.hit}>
        <Face id={id} name={name} kind={kind} size={22} />
        <span className={styles.hitHead}>
          <strong dir="auto">{name}</strong>
          <time dateTime={message.sent_at}>{formatMoment(message.sent_at)}</time>
        </span>
        <span className={styles.hitText} dir="auto">
          {text ?? message.content.text}
        </span>
      </RouterLink>
    </li>
  )
}
