import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../texts.ts'
import { Copyable, CopyTextButton } from '../../../ui/Copyable.tsx'
import { moment } from '../../../ui/times.tsx'

const words = t.organization.people

/** A link that is shown this once. It closes by its button alone, so that a slip does not lose it. */
export function LinkDialog({ title, text, link, expiresAt, actions, onClose }: { title: string; text: string; link: string; expiresAt: string; actions?: ReactNode; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false} size="lg">
      <Stack>
        <Text size="sm">{text}</Text>
        <Copyable text={link} label={words.link} />
        <Text size="sm" c="dimmed">
          {words.linkOnce(moment(expiresAt))}
        </Text>
        <Group justify="flex-end">
          {actions}
          <CopyTextButton text={link}>{words.copyLink}</CopyTextButton>
          <Button variant="default" onClick={onClose}>
            {words.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
