import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Copyable, CopyTextButton } from '../../../ui/actions/Copyable.tsx'

interface DialogTexts {
  label: string
  copy: string
  done: string
}

/** A dialog for a value shown only once. Only its button closes it, so that the value is not lost by accident. */
export function OneTimeDialog({
  title,
  text,
  value,
  texts,
  note,
  actions,
  onClose,
}: {
  title: string
  text: string
  value: string
  texts: DialogTexts
  note: ReactNode
  actions?: ReactNode
  onClose: () => void
}) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <Text size="sm">{text}</Text>
        <Copyable text={value} label={texts.label} />
        {note}
        <Group justify="flex-end">
          {actions}
          <CopyTextButton text={value}>{texts.copy}</CopyTextButton>
          <Button variant="default" onClick={onClose}>
            {texts.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
