import { useCommands } from '../../../keys/commands.ts'
import { useSignedIn } from '../../../session/session.ts'
import { openImport } from '../../imports/open.ts'
import { channelOf } from '../data/rows.ts'
import type { ChannelDialogState } from './ChannelDialogs.tsx'

interface ChannelCommandOptions {
  /** The reader's conversations in list order. */
  ids: readonly string[]
  current: string | undefined
  open: (channelId: string) => void
  /** Freezes the list order for a moment. */
  freeze: () => void
  dialogs: ChannelDialogState
}

export function useChannelCommands({ ids, current, open, freeze, dialogs }: ChannelCommandOptions) {
  const { person } = useSignedIn()
  const isGuest = person.role === 'guest'
  const moveBy = (step: 1 | -1, isMatch: (id: string) => boolean = () => true) => {
    const index = current === undefined ? -1 : ids.indexOf(current)
    const following =
      step === 1 ? ids.slice(index + 1) : ids.slice(0, Math.max(0, index)).toReversed()
    const wrapped =
      step === 1 ? ids.slice(0, Math.max(0, index)) : ids.slice(index + 1).toReversed()
    const next = [...following, ...wrapped].find(isMatch)
    if (next === undefined) return false
    freeze()
    open(next)
    return true
  }
  useCommands({
    'chat.nextChannel': () => moveBy(1),
    'chat.previousChannel': () => moveBy(-1),
    'chat.nextUnread': () => moveBy(1, (id) => (channelOf(id)?.unread.total ?? 0) > 0),
    'chat.direct': dialogs.writeTo,
    'chat.create': isGuest ? undefined : () => dialogs.show('create'),
    'chat.browse': isGuest ? undefined : () => dialogs.show('browse'),
    'chat.import': isGuest ? undefined : () => openImport({ kind: 'channels' }),
  })
}
