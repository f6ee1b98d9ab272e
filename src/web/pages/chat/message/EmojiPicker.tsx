import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { Picker } from '../../../ui/work/Picker.tsx'
import { toggleReaction } from '../data/changes.ts'
import type { Message } from '../data/rows.ts'
import { findEmoji, defaultEmoji } from './emoji.ts'

interface EmojiPickerProps {
  message: Message
  anchor: Element
  close: () => void
}

/** Reaction picker: common emoji, and all others by name. */
export function EmojiPicker({ message, anchor, close }: EmojiPickerProps) {
  const me = useMe()
  const [query, setQuery] = useState('')
  const { data } = useQuery({
    queryKey: ['emoji', query],
    queryFn: () => findEmoji(query.trim(), 40),
    enabled: query.trim() !== '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
  })
  return (
    <Picker
      anchor={anchor}
      label={t.chat.emoji}
      onQuery={setQuery}
      choices={(input) =>
        (input === '' ? defaultEmoji : (data ?? [])).map(({ emoji, name }) => ({
          value: emoji,
          label: name,
          icon: <span>{emoji}</span>,
        }))
      }
      choose={(emoji) => toggleReaction(message, emoji, me)}
      close={close}
    />
  )
}
