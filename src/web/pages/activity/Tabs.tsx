import { Button, Group } from '@mantine/core'
import { activityTexts as t } from './texts.ts'
import { RouterLink } from '../../ui/AppLink.tsx'

const tabs = [
  ['log', '/activity'],
  ['usage', '/activity/usage'],
] as const

/** The pages about the work of assistants. */
export function Tabs({ activeTab }: { activeTab: 'log' | 'usage' }) {
  return (
    <Group component="nav" gap={4} aria-label={t.activity.tabs.label}>
      {tabs.map(([name, to]) => (
        <Button
          key={name}
          component={RouterLink}
          to={to}
          size="xs"
          variant={name === activeTab ? 'light' : 'subtle'}
          color={name === activeTab ? undefined : 'gray'}
          aria-current={name === activeTab ? 'page' : undefined}
        >
          {t.activity.tabs[name]}
        </Button>
      ))}
    </Group>
  )
}
