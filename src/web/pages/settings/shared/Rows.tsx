import { Box, Group, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { AppLink } from '../../../ui/AppLink.tsx'

/** A list with one row per entry. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Paper
      withBorder
      component="ul"
      m={0}
      p={0}
      aria-label={label}
      style={{ listStyle: 'none', overflow: 'hidden' }}
    >
      {children}
    </Paper>
  )
}

interface RowProps {
  title: string
  /** Link target of the title. */
  to?: string
  /** Shown beside the title. */
  badge?: ReactNode
  children?: ReactNode
  actions?: ReactNode
}

export function Row({ title, to, badge, children, actions }: RowProps) {
  return (
    <Box
      component="li"
      px={{ base: 'sm', sm: 'md' }}
      py="sm"
      style={{ borderTop: '1px solid var(--line)', marginTop: -1 }}
    >
      <Group justify="space-between" gap="sm">
        <Stack gap={2} flex="1 1 14rem" miw={0}>
          <Group gap="xs">
            {to === undefined ? (
              <Text fw={600} dir="auto" miw={0}>
                {title}
              </Text>
            ) : (
              <AppLink to={to} fw={600} dir="auto" miw={0}>
                {title}
              </AppLink>
            )}
            {badge}
          </Group>
          {children && (
            <Text size="sm" c="dimmed" component="div">
              {children}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    </Box>
  )
}
