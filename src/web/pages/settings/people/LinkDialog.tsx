import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { settingsTexts as t } from '../texts.ts'
import { formatMoment } from '../../../ui/times.tsx'
import { OneTimeDialog } from '../shared/ShownOnce.tsx'

const texts = t.organization.people

/** A link to pass on to a person. */
export function LinkDialog({
  title,
  text,
  link,
  expiresAt,
  actions,
  onClose,
}: {
  title: string
  text: string
  link: string
  expiresAt: string
  actions?: ReactNode
  onClose: () => void
}) {
  const note = (
    <Text size="sm" c="dimmed">
      {texts.linkOnce(formatMoment(expiresAt))}
    </Text>
  )
  return (
    <OneTimeDialog
      title={title}
      text={text}
      value={link}
      texts={{ label: texts.link, copy: texts.copyLink, done: texts.done }}
      note={note}
      actions={actions}
      onClose={onClose}
    />
  )
}
