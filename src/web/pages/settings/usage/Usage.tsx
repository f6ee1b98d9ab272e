import { Group, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useEndpoint } from '../../../api/queries.ts'
import { useIsAdmin } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { Shown } from '../../../ui/states.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { DayChart } from './DayChart.tsx'
import { Meters } from './Meters.tsx'
import { Tallies } from './Tallies.tsx'
import type { UsageReport as Used } from '../../../api/usage.ts'

const words = t.organization.usage

/** The plan, its usage, and the activity of the last days. */
export function UsageSettings() {
  const isAdmin = useIsAdmin()
  const [scope, setScope] = useState<Used['of']>(isAdmin ? 'organization' : 'me')
  const [days, setDays] = useState(30)
  const usageQuery = useEndpoint('/web/usage', { of: scope, days })
  return (
    <Page title={words.title} about={words.about}>
      <Group gap="sm">
        {isAdmin && (
          <SegmentedControl
            value={scope}
            onChange={(value) => setScope(value as Used['of'])}
            data={[
              { value: 'organization', label: words.organization },
              { value: 'me', label: words.me },
            ]}
            aria-label={words.whose}
          />
        )}
        <SegmentedControl
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          data={[7, 30, 90].map((n) => ({ value: String(n), label: words.days(n) }))}
          aria-label={words.range}
        />
      </Group>
      <Shown query={usageQuery}>
        {(usage) => (
          <Stack gap="lg">
            <Meters plan={usage.plan} />
            <SettingsSection title={words.perDay} about={words.sum(usage)}>
              <DayChart usage={usage} />
            </SettingsSection>
            <SettingsSection title={words.byKey}>
              <Tallies
                label={words.byKey}
                name={words.key}
                rows={usage.by_key.map((item) => ({
                  ...item,
                  name: usageKeyName(usage, item.key_id),
                }))}
              />
            </SettingsSection>
            <SettingsSection title={words.byTool}>
              <Tallies
                label={words.byTool}
                name={words.tool}
                rows={usage.by_tool.map((item) => ({ ...item, name: item.tool }))}
              />
            </SettingsSection>
          </Stack>
        )}
      </Shown>
    </Page>
  )
}

function usageKeyName({ keys, of }: Used, id: string | null): string {
  if (id === null) return words.noKey
  const key = keys.find((item) => item.id === id)
  if (!key) return id
  return of === 'me' ? key.name : words.keyOf(key.name, key.owner.name)
}
