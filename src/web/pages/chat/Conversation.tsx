import { useMediaQuery } from '@mantine/hooks'
import { useCommands } from '../../keys/commands.ts'
import { ChannelHead } from './channels/ChannelHead.tsx'
import styles from './chat.module.css'
import { useChatAddress, type Panel } from './data/address.ts'
import { channelTitle, type Channel } from './data/rows.ts'
import { ListContext } from './list/actions.ts'
import { focusComposer, focusLast } from './list/focus.ts'
import { useListActionsOf } from './list/useListActionsOf.ts'
import { MessagePopups } from './message/MessagePopups.tsx'
import { Messages } from './Messages.tsx'
import { useMessageCommands } from './list/useMessageCommands.ts'
import { SidePanel } from './side/SidePanel.tsx'

/** A conversation: its messages, the composer, and the side panel. */
export function Conversation({ channel }: { channel: Channel }) {
  const { address } = useChatAddress()
  const hasRoom = useMediaQuery('(min-width: 1100px)', true, { getInitialValueInEffect: false })
  const hasSidePanel = address.threadId !== undefined || address.panel !== undefined
  const actions = useListActionsOf(channel)
  useMessageCommands(actions)
  useConversationCommands(channel)
  return (
    <ListContext value={actions}>
      {(hasRoom || !hasSidePanel) && (
        <section className={styles.conversation} aria-label={channelTitle(channel)}>
          <ChannelHead channel={channel} />
          <Messages channel={channel} leave={() => focusLast('channel')} />
        </section>
      )}
      {hasSidePanel && <SidePanel channel={channel} isAlone={!hasRoom} />}
      <MessagePopups />
    </ListContext>
  )
}

function useConversationCommands(channel: Channel): void {
  const { address, go } = useChatAddress()
  const hasSidePanel = address.threadId !== undefined || address.panel !== undefined
  const toggle = (panel: Panel) => () =>
    go({ channelId: channel.id, panel: address.panel === panel ? undefined : panel })
  useCommands({
    'chat.write': () => focusComposer(address.threadId === undefined ? 'channel' : 'thread'),
    'chat.search': () => go({ channelId: channel.id, panel: 'search' }),
    'chat.details': toggle('details'),
    'chat.pins': toggle('pins'),
    'chat.back': () => {
      if (hasSidePanel) go({ channelId: channel.id })
      focusComposer('channel')
    },
  })
}
