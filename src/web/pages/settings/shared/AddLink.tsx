import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { RouterLink } from '../../../ui/AppLink.tsx'

/** A link to the form for a new list entry. */
export function AddLink({ to, label }: { to: string; label: string }) {
  return (
    <Button component={RouterLink} to={to} leftSection={<IconPlus size={16} aria-hidden />}>
      {label}
    </Button>
  )
}
