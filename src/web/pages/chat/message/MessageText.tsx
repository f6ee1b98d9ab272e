import { memo, useMemo } from 'react'
import { useMe } from '../../../session/session.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import type { HtmlNode } from '../../../ui/source/html-tree.ts'
import { PlainText } from '../../../ui/Outside.tsx'
import { chatPath } from '../data/address.ts'
import type { Message } from '../data/rows.ts'
import styles from './message.module.css'
import { isEmojiOnly, isUnformattedText, textPartsOf, type TextPart } from '../list/parts.ts'

/** The text of a message: Markdown, with mentions and channels highlighted. External text stays plain. */
export const MessageText = memo(function MessageText({ message }: { message: Message }) {
  const { text, trust } = message.content
  if (trust === 'external') return <PlainText text={text} />
  if (isEmojiOnly(text)) return <p className={styles.emojiOnly}>{text}</p>
  if (isUnformattedText(text)) return <PlainParts message={message} />
  return <RichText message={message} />
})

function PlainParts({ message }: { message: Message }) {
  const { id: readerId } = useMe()
  return (
    <p className={styles.plain} dir="auto">
      {textPartsOf(message.content.text, message, readerId).map((part) => (
        <Part key={part.offset} part={part} />
      ))}
    </p>
  )
}

function Part({ part }: { part: TextPart }) {
  if (part.kind === 'text') return part.text
  if (part.kind === 'channel')
    return <RouterLink to={chatPath({ channelId: part.id })}>{part.text}</RouterLink>
  return <span className={part.isMe ? styles.mentionOfMe : styles.mention}>{part.text}</span>
}

function RichText({ message }: { message: Message }) {
  const { id: readerId } = useMe()
  const split = useMemo(
    () => (text: string) => textPartsOf(text, message, readerId).map(nodeOf),
    [message, readerId],
  )
  return (
    <div className={styles.rich}>
      <Markdown text={message.content.text} parentLevel={2} split={split} />
    </div>
  )
}

function nodeOf(part: TextPart): HtmlNode {
  const children = [{ type: 'text', value: part.text }]
  if (part.kind === 'text') return { type: 'text', value: part.text }
  if (part.kind === 'channel')
    return {
      type: 'element',
      tagName: 'a',
      properties: { href: chatPath({ channelId: part.id }) },
      children,
    }
  const className = [part.isMe ? styles.mentionOfMe : styles.mention]
  return { type: 'element', tagName: 'span', properties: { className }, children }
}
