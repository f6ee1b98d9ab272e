import { Alert, Text } from '@mantine/core'
import { IconRotateClockwise } from '@tabler/icons-react'
import { keyTexts as t } from './texts.ts'
import type { Key } from './keys.ts'

/** A discreet reminder about old keys. */
export function RotateReminder({ keys }: { keys: Key[] }) {
  if (keys.length === 0) return null
  return (
    <Alert
      variant="light"
      color="gray"
      icon={<IconRotateClockwise />}
      title={t.keys.rotate.title(keys.length)}
    >
      <Text size="sm">{t.keys.rotate.text}</Text>
    </Alert>
  )
}
