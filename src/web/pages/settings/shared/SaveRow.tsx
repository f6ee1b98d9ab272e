import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { settingsTexts as t } from '../texts.ts'

/** The bottom row of a form: other actions, and Save. */
export function SaveRow({
  isBusy,
  disabled = false,
  children,
}: {
  isBusy: boolean
  disabled?: boolean
  children?: ReactNode
}) {
  return (
    <Group justify="flex-end">
      {children}
      <Button type="submit" loading={isBusy} disabled={disabled}>
        {t.app.save}
      </Button>
    </Group>
  )
}
