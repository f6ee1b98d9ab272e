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
  /** Freezes that order for a moment. */
  freeze: () => void
  dialogs: ChannelDialogState
}

export function useChannelCommands({ ids, current, open, freeze, dialogs }: ChannelCommandOptions) {
  const { person } = useSignedIn()
  const isGuest = person.role === 'guest'
  const moveBy = (step: 1 | -1, isWanted: (id: string) => boolean = () => true) => {
    const at = current === undefined ? -1 : ids.indexOf(current)
    const others = step === 1 ? ids.slice(at + 1) : ids.slice(0, Math.max(0, at)).toReversed()
    const around = step === 1 ? ids.slice(0, Math.max(0, at)) : ids.slice(at + 1).toReversed()
    const next = [...others, ...around].find(isWanted)
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
