import { ActionIcon, Fieldset, Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'

interface RuleRowsProps {
  title: string
  children: ReactNode
}

/** Conditions or actions of a rule, in a vertical list. */
export function RuleRows({ title, children }: RuleRowsProps) {
  return (
    <Fieldset legend={title} variant="unstyled">
      <Stack gap="xs" pt={4}>
        {children}
      </Stack>
    </Fieldset>
  )
}

interface RuleRowProps {
  /** Label of the remove button. */
  removeLabel: string
  remove: () => void
  error: string | undefined
  /** It was just added: its first select takes the focus. */
  isNew: boolean
  children: ReactNode
}

/** One row: selects and fields, and a button to remove it. */
export function RuleRow({ removeLabel, remove, error, isNew, children }: RuleRowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNew) row.current?.querySelector<HTMLElement>('select')?.focus()
  }, [isNew])
  return (
    <div ref={row}>
      <Group gap="xs" align="center">
        {children}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={removeLabel}
          title={removeLabel}
          onClick={remove}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {error !== undefined && (
        <Text size="xs" c="red" role="alert">
          {error}
        </Text>
      )}
    </div>
  )
}

/** Error of a row, by the path of its field. */
export function rowError(errors: Record<string, string>, path: string): string | undefined {
  return Object.entries(errors).find(
    ([field]) => field === path || field.startsWith(`${path}.`),
  )?.[1]
}
