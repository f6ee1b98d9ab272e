import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Browse } from './Browse.tsx'
import { NewChannel } from './NewChannel.tsx'

type DialogName = 'create' | 'browse'

/** The dialog open above the conversations, and the way to message people. */
export function useChannelDialogs() {
  const navigate = useNavigate()
  const [shown, show] = useState<DialogName>()
  return {
    shown,
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

export function ChannelDialogs({ dialog: { shown, close }, open }: ChannelDialogsProps) {
  if (shown === 'create') return <NewChannel close={close} open={open} />
  if (shown === 'browse') return <Browse close={close} open={open} />
  return null
}
