import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { keyTexts as t } from '../texts.ts'
import { CopyTextButton, Copyable } from '../../../ui/actions/Copyable.tsx'
import { Connect } from '../connect/Connect.tsx'
import { FirstCall } from '../connect/FirstCall.tsx'
import type { NewKey } from '../keys.ts'
import { useLeaveConfirmation } from './kept-open.ts'

/** A new key, shown once, with instructions for connecting an assistant. */
export function NewKeyView({ newKey, stored }: { newKey: NewKey; stored: () => void }) {
  useLeaveConfirmation()
  return (
    <Stack>
      <KeySecret newKey={newKey} />
      <Connect secret={newKey.key} />
      <FirstCall keyId={newKey.id} />
      <Group justify="flex-end">
        <Button onClick={stored}>{t.keys.made.stored}</Button>
      </Group>
    </Stack>
  )
}

export function KeySecret({ newKey }: { newKey: NewKey }) {
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle />}>
        {t.keys.made.once}
      </Alert>
      <Copyable text={newKey.key} label={t.keys.made.key} />
      <Group>
        <CopyTextButton text={newKey.key}>{t.keys.made.copy}</CopyTextButton>
      </Group>
    </Stack>
  )
}
