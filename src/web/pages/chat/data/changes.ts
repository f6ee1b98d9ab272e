import { write, type RowChange } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import type { Message } from './rows.ts'

type Reactions = Message['reactions']

interface Person {
  id: string
  title: string
}

const messageChange = (message: Message, set: Partial<Message>): RowChange[] => [
  { type: 'message', id: message.id, set },
]

/** Changes the text of the reader's own message. */
export function editMessage(message: Message, text: string): void {
  void write(
    'update_message',
    { message_id: message.id, body_markdown: text },
    {
      rows: messageChange(message, {
        content: { ...message.content, text },
        edited_at: new Date().toISOString(),
      }),
      text: t.chat.edited,
    },
  )
}

/** Permanently deletes the reader's own message. */
export function deleteMessage(message: Message): void {
  void write(
    'delete_message',
    { message_id: message.id },
    {
      rows: [{ type: 'message', id: message.id, remove: true }],
      text: t.chat.deletedOne,
      undo: false,
      noticeSeconds: 0,
    },
  )
}

export function pinMessage(message: Message): void {
  void write(
    'pin_message',
    { message_id: message.id, pinned: !message.pinned },
    {
      rows: messageChange(message, { pinned: !message.pinned }),
      text: message.pinned ? t.chat.unpinned : t.chat.pinned,
      noticeSeconds: 4,
    },
  )
}

/** Adds or removes the reader's reaction. */
export function toggleReaction(message: Message, emoji: string, me: Person): void {
  const isOwn = message.reactions.some(
    (reaction) => reaction.emoji === emoji && reaction.people.some((person) => person.id === me.id),
  )
  const reactions = isOwn
    ? withoutReaction(message.reactions, emoji, me)
    : withReaction(message.reactions, emoji, me)
  void write(
    isOwn ? 'remove_message_reaction' : 'add_message_reaction',
    { message_id: message.id, emoji },
    {
      rows: messageChange(message, { reactions }),
      text: isOwn ? t.chat.reactionRemoved(emoji) : t.chat.reacted(emoji),
      noticeSeconds: 0,
    },
  )
}

function withReaction(reactions: Reactions, emoji: string, me: Person): Reactions {
  if (!reactions.some((reaction) => reaction.emoji === emoji))
    return [...reactions, { emoji, people: [me] }]
  return reactions.map((reaction) =>
    reaction.emoji === emoji ? { ...reaction, people: [...reaction.people, me] } : reaction,
  )
}

function withoutReaction(reactions: Reactions, emoji: string, me: Person): Reactions {
  return reactions
    .map((reaction) =>
      reaction.emoji === emoji
        ? { ...reaction, people: reaction.people.filter((person) => person.id !== me.id) }
        : reaction,
    )
    .filter((reaction) => reaction.people.length > 0)
}
