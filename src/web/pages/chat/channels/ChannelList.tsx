import {
  IconCompass,
  IconFileImport,
  IconHash,
  IconLock,
  IconPencil,
  IconPlus,
  IconUsers,
} from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { useSignedIn } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { openImport } from '../../imports/open.ts'
import { chatPath } from '../data/address.ts'
import { urgentCount, useChannel } from '../data/channels.ts'
import { useDraftChannels } from '../data/drafts.ts'
import { isConversation, type Channel } from '../data/rows.ts'
import styles from './channels.module.css'

interface ChannelListProps {
  groups: ReadonlyMap<string, readonly string[]>
  current: string | undefined
  create: () => void
  writeTo: () => void
  browse: () => void
}

/** The reader's channels and conversations, with unread counts and drafts. */
export function ChannelList({ groups, current, create, writeTo, browse }: ChannelListProps) {
  const { person } = useSignedIn()
  const isGuest = person.role === 'guest'
  const idsIn = (name: string) => groups.get(name) ?? []
  return (
    <nav className={styles.list} aria-label={t.chat.list}>
      <Section
        title={t.chat.channels}
        tools={
          !isGuest && (
            <>
              <Tool icon={<IconCompass size={15} />} label={t.chat.browse.title} run={browse} />
              <Tool icon={<IconPlus size={15} />} label={t.chat.create.title} run={create} />
              <Tool
                icon={<IconFileImport size={15} />}
                label={t.keys.commands['chat.import']}
                run={() => openImport({ kind: 'channels' })}
              />
            </>
          )
        }
        ids={idsIn('channels')}
        current={current}
      />
      <Section
        title={t.chat.direct}
        tools={<Tool icon={<IconPencil size={15} />} label={t.chat.directTo.title} run={writeTo} />}
        ids={idsIn('direct')}
        current={current}
      />
    </nav>
  )
}

interface SectionProps {
  title: string
  tools: ReactNode
  ids: readonly string[]
  current: string | undefined
}

function Section({ title, tools, ids, current }: SectionProps) {
  const drafts = useDraftChannels().split(' ')
  return (
    <section className={styles.section}>
      <h2>
        <span>{title}</span>
        {tools}
      </h2>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <Entry id={id} isCurrent={id === current} hasDraft={drafts.includes(id)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Tool({ icon, label, run }: { icon: ReactNode; label: string; run: () => void }) {
  return (
    <button type="button" className={styles.tool} aria-label={label} title={label} onClick={run}>
      {icon}
    </button>
  )
}

interface EntryProps {
  id: string
  isCurrent: boolean
  hasDraft: boolean
}

const Entry = memo(function Entry({ id, isCurrent, hasDraft }: EntryProps) {
  const channel = useChannel(id)
  if (!channel) return null
  return (
    <RouterLink
      to={chatPath({ channelId: id })}
      className={styles.entry}
      aria-current={isCurrent ? 'page' : undefined}
      data-unread={channel.unread.total > 0 || undefined}
      data-channel={id}
    >
      <ChannelIcon channel={channel} />
      <ChannelName channel={channel} />
      {hasDraft && !isCurrent && (
        <IconPencil size={13} className={styles.draft} role="img" aria-label={t.chat.draft} />
      )}
      <UnreadCount channel={channel} />
    </RouterLink>
  )
})

/** Icon before the name of a channel: public, private, or the people in it. */
export function ChannelIcon({ channel, size = 15 }: { channel: Channel; size?: number }) {
  const { person } = useSignedIn()
  if (channel.kind === 'public') return <IconHash size={size} className={styles.mark} aria-hidden />
  if (channel.kind === 'private')
    return <IconLock size={size} className={styles.mark} aria-hidden />
  const others = (channel.members ?? []).filter((member) => member.id !== person.id)
  const [other = person] = others
  if (others.length > 1) return <IconUsers size={size} className={styles.mark} aria-hidden />
  return <Face id={other.id} name={channel.name} size={18} />
}

export function ChannelName({ channel }: { channel: Channel }) {
  const { person } = useSignedIn()
  const isSelf = isConversation(channel) && channel.member_count === 1
  return (
    <span className={styles.name} dir="auto">
      {isSelf ? t.chat.you(person.name) : channel.name}
    </span>
  )
}

function UnreadCount({ channel }: { channel: Channel }) {
  const { total } = channel.unread
  if (total === 0) return null
  const urgent = urgentCount(channel)
  return (
    <span
      className={styles.count}
      data-urgent={urgent > 0 || undefined}
      role="img"
      aria-label={t.chat.unread(total, urgent)}
      title={t.chat.unread(total, urgent)}
    >
      {t.chat.badge(urgent > 0 ? urgent : total)}
    </span>
  )
}
