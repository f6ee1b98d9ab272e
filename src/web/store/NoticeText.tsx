import { Button, Group, Stack, Text } from '@mantine/core'
import type { Notice } from './writing/notices.ts'

/** What a notice says, and what can be done about it. */
export function NoticeText({ notice, close }: { notice: Notice; close: () => void }) {
  const { text, problem, actions } = notice
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm" role={problem ? 'alert' : undefined}>
      <Stack gap={2} miw={0}>
        <Text size="sm" lineClamp={2} dir="auto">
          {text}
        </Text>
        {problem !== undefined && (
          <Text size="sm" c="dimmed" dir="auto">
            {problem}
          </Text>
        )}
      </Stack>
      {actions.map(({ label, run }) => (
        <Button
          key={label}
          size="compact-sm"
          variant="default"
          style={{ flexShrink: 0 }}
          onClick={() => {
            close()
            run()
          }}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}
