import { Group, Kbd, Text } from '@mantine/core'
import { t } from './texts.ts'

/** The keys that work in the log. */
export function KeysHelp() {
  const { keysHelp } = t.activity
  const keys: [string[], string][] = [
    [['j', 'k'], keysHelp.move],
    [['Enter'], keysHelp.open],
    [['u'], keysHelp.undo],
    [['Esc'], keysHelp.close],
  ]
  return (
    <Group gap="md">
      {keys.map(([some, what]) => (
        <Group key={what} gap={4}>
          {some.map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}
          <Text size="xs" c="dimmed">
            {what}
          </Text>
        </Group>
      ))}
    </Group>
  )
}
