import { IconArrowLeft, IconInfoCircle, IconPin, IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { useChatAddress, type Panel } from '../data/address.ts'
import { isConversation, type Channel } from '../data/rows.ts'
import styles from './channels.module.css'
import { ChannelIcon, ChannelName } from './ChannelList.tsx'

/** The name and topic of a conversation, and the buttons for side panels. */
export function ChannelHead({ channel }: { channel: Channel }) {
  return (
    <header className={styles.head}>
      <RouterLink to="/chat" className={styles.back} aria-label={t.chat.gone.back}>
        <IconArrowLeft size={18} aria-hidden />
      </RouterLink>
      <h1>
        <ChannelIcon channel={channel} size={16} />
        <ChannelName channel={channel} />
      </h1>
      <span className={styles.topic} dir="auto" title={channel.topic}>
        {channel.topic}
      </span>
      {channel.joined && (
        <span className={styles.headTools}>
          <PanelButton panel="pins" label={t.chat.pins.title}>
            <IconPin size={16} aria-hidden />
          </PanelButton>
          <PanelButton panel="search" label={t.chat.search.title}>
            <IconSearch size={16} aria-hidden />
          </PanelButton>
          <PanelButton panel="details" label={detailsLabel(channel)}>
            {isConversation(channel) ? null : (
              <span className={styles.memberCount}>{channel.member_count}</span>
            )}
            <IconInfoCircle size={16} aria-hidden />
          </PanelButton>
        </span>
      )}
    </header>
  )
}

/** A label with the number of members that the button shows. */
function detailsLabel(channel: Channel): string {
  const { title, members } = t.chat.details
  return isConversation(channel) ? title : `${title}: ${members(channel.member_count)}`
}

interface PanelButtonProps {
  panel: Panel
  label: string
  children: ReactNode
}

function PanelButton({ panel, label, children }: PanelButtonProps) {
  const { address, go } = useChatAddress()
  const isOpen = address.panel === panel
  return (
    <button
      type="button"
      className={styles.headTool}
      aria-label={label}
      title={label}
      aria-expanded={isOpen}
      onClick={() => go({ channelId: address.channelId, panel: isOpen ? undefined : panel })}
    >
      {children}
    </button>
  )
}
