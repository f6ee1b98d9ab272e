import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, type ReactNode, type RefObject } from 'react'
import { KeyRegion, useCommands } from '../../keys/commands.ts'
import type { CommandId } from '../../keys/keymap.ts'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { t } from '../../texts/index.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import { Loading, Problem } from '../../ui/states.tsx'
import styles from './beside.module.css'
import { ChatNavigationContext, chatPath } from './data/address.ts'
import { useChannels } from './data/channels.ts'
import { useOpenedChannel } from './data/opened.ts'
import { channelTitle, type Channel } from './data/rows.ts'
import { ListContext } from './list/actions.ts'
import { focusComposer } from './list/focus.ts'
import { useListActionsOf } from './list/useListActionsOf.ts'
import { useMessageCommands } from './list/useMessageCommands.ts'
import { MessagePopups } from './message/MessagePopups.tsx'
import { Messages } from './Messages.tsx'

interface EmbeddedChannelProps {
  channelId: string
  /** Moves the focus to the text, or to the join button. */
  command: CommandId
  /** Shown to people who may not read the channel. */
  noAccess: ReactNode
}

/**
 * A channel on the page of its item. Its commands are active while it has the focus; panels that chat shows beside
 * messages open there.
 */
export function EmbeddedChannel({ channelId, command, noAccess }: EmbeddedChannelProps) {
  const region = useRef<HTMLElement>(null)
  const navigation = useEmbeddedNavigation(channelId)
  const { isLoaded } = useChannels()
  const { channel, error, isMissing, isGone } = useOpenedChannel(channelId, isLoaded)
  const title = channel ? channelTitle(channel) : t.chat.beside.title
  useCommands({ [command]: channel && (() => focusChannel(region)) })
  return (
    <section ref={region} className={styles.beside} aria-label={title}>
      <header className={styles.head}>
        <h2 dir="auto" title={title}>
          {title}
        </h2>
        <KeyCombo command={command} />
        <RouterLink to={chatPath({ channelId })}>{t.chat.beside.open}</RouterLink>
      </header>
      <ChatNavigationContext value={navigation}>
        <KeyRegion value={region}>{channel && <ChannelMessages channel={channel} />}</KeyRegion>
      </ChatNavigationContext>
      {!channel && (
        <div className={styles.other}>
          {(isMissing || isGone) && noAccess}
          {!isMissing && !isGone && (error ? <Problem error={error} /> : <Loading />)}
        </div>
      )}
    </section>
  )
}

function ChannelMessages({ channel }: { channel: Channel }) {
  const actions = useListActionsOf(channel)
  useMessageCommands(actions)
  useCommands({ 'chat.back': () => focusComposer('channel') })
  return (
    <ListContext value={actions}>
      <Messages channel={channel} leave={leave} />
      <MessagePopups />
    </ListContext>
  )
}

/** The address of the embedded channel; all other addresses open the chat page. */
function useEmbeddedNavigation(channelId: string) {
  const navigate = useNavigate()
  return useMemo(
    () => ({
      address: { channelId },
      go: (to: Parameters<typeof chatPath>[0]) => void navigate({ href: chatPath(to) }),
    }),
    [channelId, navigate],
  )
}

function focusChannel(region: RefObject<HTMLElement | null>): void {
  const text = region.current?.querySelector<HTMLElement>('[data-composer] textarea')
  const target = text ?? region.current?.querySelector<HTMLElement>('button')
  target?.focus()
}

/** Removes the focus, so that the page handles keys again. */
function leave(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}
