import { Card, Stack, Title } from '@mantine/core'
import { keyTexts as t } from '../texts.ts'
import { Connect } from './Connect.tsx'

/** How assistants are connected, for keys that someone has already. */
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
