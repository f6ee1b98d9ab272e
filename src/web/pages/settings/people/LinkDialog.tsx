import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { settingsTexts as t } from '../texts.ts'
import { formatMoment } from '../../../ui/times.tsx'
import { ShownOnce } from '../shared/ShownOnce.tsx'

const words = t.organization.people

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
      {words.linkOnce(formatMoment(expiresAt))}
    </Text>
  )
  return (
    <ShownOnce
      title={title}
      text={text}
      value={link}
      words={{ label: words.link, copy: words.copyLink, done: words.done }}
      note={note}
      actions={actions}
      onClose={onClose}
    />
  )
}
