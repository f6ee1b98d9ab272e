import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Browse } from './Browse.tsx'
import { NewChannel } from './NewChannel.tsx'

type DialogName = 'create' | 'browse'

/** The open dialog of the chat page, and functions that open and close dialogs or start a message. */
export function useChannelDialogs() {
  const navigate = useNavigate()
  const [dialogName, show] = useState<DialogName>()
  return {
    shown: dialogName,
    show,
    close: () => show(undefined),
    writeTo: () => void navigate({ to: '/chat/new' }),
  }
}

export type ChannelDialogState = ReturnType<typeof useChannelDialogs>

interface ChannelDialogsProps {
  dialog: ChannelDialogState
  open: (channelId: string) => void
}

export function ChannelDialogs({
  dialog: { shown: dialogName, close },
  open,
}: ChannelDialogsProps) {
  if (dialogName === 'create') return <NewChannel close={close} open={open} />
  if (dialogName === 'browse') return <Browse close={close} open={open} />
  return null
}
