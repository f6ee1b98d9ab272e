import { Badge, Blockquote, Card, Group, Stack, Text } from '@mantine/core'
import { t } from '../../../texts/index.ts'
import { Markdown } from '../../../ui/Markdown.tsx'
import { Ago } from '../../../ui/times.tsx'
import { Spot } from '../Section.tsx'

interface Comment {
  id: string
  author: { title: string }
  body_markdown: string
  created_at: string
  resolved: boolean
  quote?: string | undefined
}

export function CommentList({ of }: { of: readonly Comment[] }) {
  return (
    <Stack gap="sm">
      {of.map((comment) => (
        <Spot key={comment.id} id={comment.id}>
          <Card withBorder padding="sm">
            <Group gap="xs">
              <Text size="sm" fw={600} dir="auto">
                {comment.author.title}
              </Text>
              <Text size="xs" c="dimmed">
                <Ago at={comment.created_at} />
              </Text>
              {comment.resolved && (
                <Badge size="sm" variant="light" color="green" tt="none">
                  {t.items.page.resolved}
                </Badge>
              )}
            </Group>
            {comment.quote && (
              <Blockquote p="xs" my="xs" fz="sm" dir="auto">
                {comment.quote}
              </Blockquote>
            )}
            <Markdown text={comment.body_markdown} under={2} />
          </Card>
        </Spot>
      ))}
    </Stack>
  )
}
