import { Badge, Box } from '@mantine/core'

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'off'

const colors: Record<Tone, string> = {
  good: 'green',
  busy: 'blue',
  warn: 'yellow',
  bad: 'red',
  off: 'gray',
}

/** Status in a word; the colour is beside it, never alone. */
export function StateBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Badge variant="dot" color={colors[tone]} tt="none" fw={500} style={{ flexShrink: 0 }}>
      {children}
    </Badge>
  )
}

/** A discreet label beside a name. */
export function Tag({ children }: { children: string }) {
  return (
    <Box
      component="span"
      px={7}
      py={1}
      fz="xs"
      c="dimmed"
      style={{
        border: '1px solid var(--line)',
        borderRadius: 999,
        whiteSpace: 'nowrap',
        flexShrink: 0,
      }}
    >
      {children}
    </Box>
  )
}
