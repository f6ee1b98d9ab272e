import { Badge, Group, Stack, Text } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { t } from '../../texts/index.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { Ago } from '../../ui/times.tsx'
import { Links, Quiet } from './Facts.tsx'

export type MessageOf = Output<'list_messages'>['items'][number]

export function MessageItem({ of: message }: { of: MessageOf }) {
  const { channel } = t.items
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text size="sm" fw={600} dir="auto">
          {message.author.title}
        </Text>
        <Text size="xs" c="dimmed">
          <Ago at={message.sent_at} />
          {message.edited_at && ` · ${channel.edited}`}
        </Text>
        {message.via_assistant && (
          <Badge size="sm" variant="default" tt="none" fw={500}>
            {channel.assistant}
          </Badge>
        )}
        {message.pinned && (
          <Badge size="sm" variant="light" tt="none">
            {channel.pinned}
          </Badge>
        )}
      </Group>
      {message.deleted_at ? (
        <Quiet>{channel.deleted}</Quiet>
      ) : (
        <Markdown text={message.content.text} under={2} />
      )}
      <Links of={[...message.files, ...message.linked_items]} />
      <Group gap="xs">
        {message.reactions.map((reaction) => (
          <Badge key={reaction.emoji} size="sm" variant="default" tt="none">
            {channel.reaction(reaction.emoji, reaction.people.length)}
          </Badge>
        ))}
        {message.reply_count > 0 && (
          <AppLink to={`/channels/${message.channel.id}/${message.id}`} size="xs">
            {channel.replies(message.reply_count)}
          </AppLink>
        )}
      </Group>
    </Stack>
  )
}
