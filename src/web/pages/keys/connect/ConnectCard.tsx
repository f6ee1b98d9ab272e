import { Card, Stack, Title } from '@mantine/core'
import { keyTexts as t } from '../texts.ts'
import { Connect } from './Connect.tsx'

/** Setup instructions for existing keys. */
export function ConnectCard() {
  return (
    <Card withBorder component="section" aria-labelledby="connect">
      <Stack gap="sm">
        <Title order={2} size="h3" id="connect">
          {t.keys.connect.title}
        </Title>
        <Connect />
      </Stack>
    </Card>
  )
}
