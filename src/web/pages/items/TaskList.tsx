import { Badge, Group, Stack, Text } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { date } from '../../ui/times.tsx'

type Tasks = Output<'list_tasks'>['items']

/** Tasks, each in a line. */
export function TaskList({ of }: { of: Tasks }) {
  return (
    <Stack gap={6} component="ul" className="plain-list">
      {of.map((task) => (
        <Group key={task.id} component="li" gap="xs" justify="space-between">
          <ItemLink item={task} />
          <Group gap="xs">
            {task.due_at && (
              <Text size="xs" c="dimmed">
                {date(task.due_on ?? task.due_at)}
              </Text>
            )}
            <Badge size="sm" variant="light" tt="none">
              {task.status}
            </Badge>
          </Group>
        </Group>
      ))}
    </Stack>
  )
}
