import { IconArchive, IconDoorExit, IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { queries, useOperation } from '../../../api/queries.ts'
import { useMe, useSignedIn } from '../../../session/session.ts'
import { write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { MarkdownInput } from '../../../ui/work/texts.tsx'
import { PersonPicker } from '../channels/PeopleField.tsx'
import { useChatAddress } from '../data/address.ts'
import { archiveChannel, channelText, leaveChannel } from '../data/membership.ts'
import { isConversation, refetchChannel, type Channel } from '../data/rows.ts'
import styles from './side.module.css'

/** Members and purpose of a conversation, and its actions. */
export function DetailsPanel({ channel }: { channel: Channel }) {
  return (
    <div className={styles.scroller}>
      {!isConversation(channel) && <ChannelSummary channel={channel} />}
      <Members channel={channel} />
      {!isConversation(channel) && <ChannelActions channel={channel} />}
    </div>
  )
}

function ChannelSummary({ channel }: { channel: Channel }) {
  return (
    <section className={styles.about}>
      <p className={styles.kind}>
        {channel.kind === 'private' ? t.chat.details.isPrivate : t.chat.details.isPublic}
      </p>
      <h3>{t.chat.details.topic}</h3>
      <MarkdownInput
        saved={{ text: channel.topic ?? '', revision: channel.revision }}
        source={channelText(channel, 'topic')}
        label={t.chat.details.topic}
        add={t.chat.details.noTopic}
        draft={`topic ${channel.id}`}
      />
      <h3>{t.chat.details.purpose}</h3>
      <MarkdownInput
        saved={{ text: channel.purpose ?? '', revision: channel.revision }}
        source={channelText(channel, 'purpose')}
        label={t.chat.details.purpose}
        add={t.chat.details.noPurpose}
        draft={`purpose ${channel.id}`}
      />
      {channel.project && (
        <>
          <h3>{t.chat.details.project}</h3>
          <ItemLink item={channel.project} />
        </>
      )}
      {channel.incident && (
        <>
          <h3>{t.chat.details.incident}</h3>
          <ItemLink item={channel.incident} />
        </>
      )}
    </section>
  )
}

function Members({ channel }: { channel: Channel }) {
  const me = useMe()
  const { person } = useSignedIn()
  const { data } = useOperation('get_channel', { channel_id: channel.id })
  const members = data?.members ?? channel.members ?? []
  const canChange = !isConversation(channel) && !channel.archived && person.role !== 'guest'
  const remove = async (member: { id: string; title: string }) => {
    if (!(await confirm(t.chat.details.removeAsk(member.title)))) return
    await write(
      'remove_channel_member',
      { channel_id: channel.id, person_id: member.id },
      { text: t.chat.details.removed(member.title), undo: false, noticeSeconds: 4 },
    )
    await refetchMembers(channel.id)
  }
  return (
    <section className={styles.members}>
      <h3>{t.chat.details.members(channel.member_count)}</h3>
      {canChange && <AddMembers channel={channel} members={members} />}
      <ul>
        {members.map((member) => (
          <li key={member.id}>
            <Face id={member.id} name={member.title} size={22} />
            <span dir="auto">{member.title}</span>
            {canChange && member.id !== me.id && (
              <button
                type="button"
                className={styles.remove}
                aria-label={t.chat.details.removeMember(member.title)}
                onClick={() => void remove(member)}
              >
                <IconX size={14} aria-hidden />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface AddMembersProps {
  channel: Channel
  members: readonly { id: string; title: string }[]
}

function AddMembers({ channel, members }: AddMembersProps) {
  const [anchor, setAnchor] = useState<Element>()
  const add = async (person: { id: string; title: string }) => {
    if (members.some((member) => member.id === person.id)) return
    await write(
      'add_channel_members',
      { channel_id: channel.id, person_ids: [person.id] },
      { text: t.chat.details.added(person.title), noticeSeconds: 4 },
    )
    await refetchMembers(channel.id)
  }
  return (
    <>
      <button
        type="button"
        className={styles.action}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <IconPlus size={14} aria-hidden /> {t.chat.details.add}
      </button>
      {anchor && (
        <PersonPicker
          anchor={anchor}
          chosen={members}
          choose={(person) => void add(person)}
          close={() => setAnchor(undefined)}
        />
      )}
    </>
  )
}

async function refetchMembers(channel_id: string): Promise<void> {
  refetchChannel(channel_id)
  await queries.invalidateQueries({ queryKey: ['call', 'get_channel', { channel_id }] })
}

function ChannelActions({ channel }: { channel: Channel }) {
  const { go } = useChatAddress()
  const { person } = useSignedIn()
  const leave = async () => {
    if (await leaveChannel(channel)) go({ channelId: undefined })
  }
  return (
    <section className={styles.actions}>
      {person.role !== 'guest' && (
        <button
          type="button"
          className={styles.action}
          onClick={() => void archiveChannel(channel)}
        >
          <IconArchive size={14} aria-hidden />{' '}
          {channel.archived ? t.chat.details.reopen : t.chat.details.archive}
        </button>
      )}
      <button type="button" className={styles.action} onClick={() => void leave()}>
        <IconDoorExit size={14} aria-hidden /> {t.chat.details.leave}
      </button>
    </section>
  )
}
