import { RouterLink } from '../../../ui/AppLink.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { chatPath } from '../data/address.ts'
import type { Message } from '../data/rows.ts'
import { authorOf } from '../message/author.ts'
import styles from './side.module.css'

/** A message in a result list, linked to its position in the chat. */
export function MessageHit({ message, text }: { message: Message; text?: string }) {
  const { id, name, kind } = authorOf(message)
  const rootId = message.thread_root_id
  const address = {
    channelId: message.channel.id,
    messageId: rootId ?? message.id,
    ...(rootId !== undefined && { threadId: rootId, replyId: message.id }),
  }
  return (
    <li>
      <RouterLink to={chatPath(address)} className={styles.hit}>
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
