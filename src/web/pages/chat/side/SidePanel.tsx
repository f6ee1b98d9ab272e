import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '../../../texts/index.ts'
import { useChatAddress } from '../data/address.ts'
import { channelTitle, type Channel } from '../data/rows.ts'
import { DetailsPanel } from './DetailsPanel.tsx'
import { PinsPanel } from './PinsPanel.tsx'
import { SearchPanel } from './SearchPanel.tsx'
import styles from './side.module.css'
import { ThreadPanel } from './ThreadPanel.tsx'

interface SidePanelProps {
  channel: Channel
  /** True if there is no room for the conversation beside it. */
  isAlone: boolean
}

/** Panel beside a conversation; on phones in its place. */
export function SidePanel({ channel, isAlone }: SidePanelProps) {
  const { address } = useChatAddress()
  if (address.threadId !== undefined)
    return (
      <Panel
        isAlone={isAlone}
        title={t.chat.thread.title}
        note={t.chat.thread.of(channelTitle(channel))}
      >
        <ThreadPanel
          key={address.threadId}
          channel={channel}
          rootId={address.threadId}
          replyId={address.replyId}
        />
      </Panel>
    )
  if (address.panel === 'pins')
    return (
      <Panel isAlone={isAlone} title={t.chat.pins.title}>
        <PinsPanel channel={channel} />
      </Panel>
    )
  if (address.panel === 'search')
    return (
      <Panel isAlone={isAlone} title={t.chat.search.title}>
        <SearchPanel channel={channel} />
      </Panel>
    )
  return (
    <Panel isAlone={isAlone} title={t.chat.details.title}>
      <DetailsPanel key={channel.id} channel={channel} />
    </Panel>
  )
}

interface PanelProps {
  title: string
  isAlone: boolean
  note?: string
  children: ReactNode
}

function Panel({ title, isAlone, note, children }: PanelProps) {
  const Heading = isAlone ? 'h1' : 'h2'
  const { address, go } = useChatAddress()
  return (
    <aside className={styles.panel} aria-label={title}>
      <header className={styles.head}>
        <Heading>{title}</Heading>
        <span className={styles.note} dir="auto">
          {note}
        </span>
        <button
          type="button"
          className={styles.close}
          aria-label={t.app.close}
          title={t.app.close}
          onClick={() => go({ channelId: address.channelId })}
        >
          <IconX size={16} aria-hidden />
        </button>
      </header>
      {children}
    </aside>
  )
}
