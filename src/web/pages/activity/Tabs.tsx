import { Button, Group } from '@mantine/core'
import { activityTexts as t } from './texts.ts'
import { RouterLink } from '../../ui/AppLink.tsx'

const places = [
  ['log', '/activity'],
  ['usage', '/activity/usage'],
] as const

/** The pages about the work of assistants. */
export function Tabs({ here }: { here: 'log' | 'usage' }) {
  return (
    <Group component="nav" gap={4} aria-label={t.activity.tabs.label}>
      {places.map(([name, to]) => (
        <Button
          key={name}
          component={RouterLink}
          to={to}
          size="xs"
          variant={name === here ? 'light' : 'subtle'}
          color={name === here ? undefined : 'gray'}
          aria-current={name === here ? 'page' : undefined}
        >
          {t.activity.tabs[name]}
        </Button>
      ))}
    </Group>
  )
}
