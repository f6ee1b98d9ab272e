import { Button, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useList, useOperation } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { Shown } from '../../ui/states.tsx'
import { Links, Quiet } from './Facts.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from './Found.tsx'
import { ItemFrame } from './Frame.tsx'
import { MessageItem, type MessageOf } from './Message.tsx'
import { ItemSection, Spot } from './Section.tsx'

/** A channel with its latest messages; with one of them, what was said before it and what was answered. */
export function ChannelItem() {
  const { of, id } = useParams({ strict: false }) as { of?: string; id: string }
  const found = useOperation('get_channel', { channel_id: of ?? id })
  return (
    <Loaded of={found}>
      {(channel) => (
        <ItemFrame
          type="channel"
          title={channel.name}
          item={channel}
          id={of === undefined ? channel.id : id}
          status={
            <Text span size="sm">
              {t.items.channel.members(channel.member_count)}
            </Text>
          }
        >
          <Facts
            of={[
              [t.items.field('topic'), channel.topic && <span dir="auto">{channel.topic}</span>],
              [
                t.items.field('purpose'),
                channel.purpose && <span dir="auto">{channel.purpose}</span>,
              ],
              [t.items.field('project'), channel.project && <ItemLink item={channel.project} />],
              [t.items.field('members'), channel.members && <Links of={channel.members} />],
            ]}
          />
          {of === undefined ? (
            <Latest of={channel.id} />
          ) : (
            <Around channel={channel.id} message={id} />
          )}
        </ItemFrame>
      )}
    </Loaded>
  )
}

function Latest({ of }: { of: string }) {
  const found = useList('list_messages', { channel_id: of, limit: 30 })
  const inOrder = (found.items as MessageOf[]).toReversed()
  return (
    <ItemSection title={t.items.channel.messages}>
      <Shown of={found}>
        {() => (
          <Stack>
            {found.hasNextPage && (
              <Button
                variant="default"
                loading={found.isFetchingNextPage}
                onClick={() => void found.fetchNextPage()}
              >
                {t.items.channel.older}
              </Button>
            )}
            {inOrder.length === 0 ? (
              <Quiet>{t.items.channel.empty}</Quiet>
            ) : (
              <Messages of={inOrder} />
            )}
          </Stack>
        )}
      </Shown>
    </ItemSection>
  )
}

function Around({ channel, message }: { channel: string; message: string }) {
  const thread = useOperation('get_message_thread', { message_id: message, limit: 100 })
  return (
    <Loaded of={thread}>
      {({ root, replies }) => (
        <>
          <Before channel={channel} root={root} />
          <ItemSection
            title={replies.length > 0 ? t.items.channel.thread : t.items.channel.message}
          >
            <Messages of={[root, ...replies]} marked={message} />
          </ItemSection>
          <AppLink to={`/channels/${channel}`} size="sm">
            {t.items.channel.all}
          </AppLink>
        </>
      )}
    </Loaded>
  )
}

function Before({ channel, root }: { channel: string; root: MessageOf }) {
  const found = useOperation('list_messages', {
    channel_id: channel,
    before: root.sent_at,
    limit: 8,
  })
  const earlier = (found.data?.items ?? []).filter((item) => item.id !== root.id).toReversed()
  if (earlier.length === 0) return null
  return (
    <ItemSection title={t.items.channel.before}>
      <Messages of={earlier} />
    </ItemSection>
  )
}

function Messages({ of, marked }: { of: readonly MessageOf[]; marked?: string }) {
  return (
    <Stack>
      {of.map((message) => (
        <Spot key={message.id} id={message.id} isMarked={message.id === marked}>
          <MessageItem of={message} />
        </Spot>
      ))}
    </Stack>
  )
}
