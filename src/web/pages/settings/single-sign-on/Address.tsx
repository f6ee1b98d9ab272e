import { Stack, Text } from '@mantine/core'
import { Copyable } from '../../../ui/actions/Copyable.tsx'

/** An address to copy to the provider. */
export function Address({ label, value }: { label: string; value: string }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Copyable text={value} label={label} />
    </Stack>
  )
}
