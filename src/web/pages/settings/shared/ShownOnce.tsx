import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Copyable, CopyTextButton } from '../../../ui/actions/Copyable.tsx'

interface Words {
  label: string
  copy: string
  done: string
}

/** Content that is shown only once. Closes only by its button, so that it is not lost accidentally. */
export function ShownOnce({
  title,
  text,
  value,
  words,
  note,
  actions,
  onClose,
}: {
  title: string
  text: string
  value: string
  words: Words
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
        <Copyable text={value} label={words.label} />
        {note}
        <Group justify="flex-end">
          {actions}
          <CopyTextButton text={value}>{words.copy}</CopyTextButton>
          <Button variant="default" onClick={onClose}>
            {words.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
