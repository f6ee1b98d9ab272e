import { Badge, Blockquote, Card, Group, Stack, Text } from '@mantine/core'
import { t } from '../../texts/index.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import { Ago } from '../../ui/times.tsx'
import { Spot } from './Section.tsx'

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
      {of.map((one) => (
        <Spot key={one.id} id={one.id}>
          <Card withBorder padding="sm">
            <Group gap="xs">
              <Text size="sm" fw={600} dir="auto">
                {one.author.title}
              </Text>
              <Text size="xs" c="dimmed">
                <Ago at={one.created_at} />
              </Text>
              {one.resolved && (
                <Badge size="sm" variant="light" color="green" tt="none">
                  {t.items.page.resolved}
                </Badge>
              )}
            </Group>
            {one.quote && (
              <Blockquote p="xs" my="xs" fz="sm" dir="auto">
                {one.quote}
              </Blockquote>
            )}
            <Markdown text={one.body_markdown} under={2} />
          </Card>
        </Spot>
      ))}
    </Stack>
  )
}
