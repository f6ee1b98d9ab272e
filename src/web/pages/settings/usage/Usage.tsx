import { Group, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useEndpoint } from '../../../api/queries.ts'
import { useIsAdmin } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { DayChart } from './DayChart.tsx'
import { Meters } from './Meters.tsx'
import { Tallies } from './Tallies.tsx'
import type { UsageReport as Report } from '../../../api/usage.ts'

const texts = t.organization.usage

/** The plan, its usage, and the activity of the last days. */
export function UsageSettings() {
  const isAdmin = useIsAdmin()
  const [scope, setScope] = useState<Report['of']>(isAdmin ? 'organization' : 'me')
  const [days, setDays] = useState(30)
  const usageQuery = useEndpoint('/web/usage', { of: scope, days })
  return (
    <Page title={texts.title} description={texts.about}>
      <Group gap="sm">
        {isAdmin && (
          <SegmentedControl
            value={scope}
            onChange={(value) => setScope(value as Report['of'])}
            data={[
              { value: 'organization', label: texts.organization },
              { value: 'me', label: texts.me },
            ]}
            aria-label={texts.whose}
          />
        )}
        <SegmentedControl
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          data={[7, 30, 90].map((dayCount) => ({
            value: String(dayCount),
            label: texts.days(dayCount),
          }))}
          aria-label={texts.range}
        />
      </Group>
      <QueryContent query={usageQuery}>
        {(usage) => (
          <Stack gap="lg">
            <Meters plan={usage.plan} />
            <SettingsSection title={texts.perDay} description={texts.sum(usage)}>
              <DayChart usage={usage} />
            </SettingsSection>
            <SettingsSection title={texts.byKey}>
              <Tallies
                label={texts.byKey}
                name={texts.key}
                rows={usage.by_key.map((item) => ({
                  ...item,
                  name: usageKeyName(usage, item.key_id),
                }))}
              />
            </SettingsSection>
            <SettingsSection title={texts.byTool}>
              <Tallies
                label={texts.byTool}
                name={texts.tool}
                rows={usage.by_tool.map((item) => ({ ...item, name: item.tool }))}
              />
            </SettingsSection>
          </Stack>
        )}
      </QueryContent>
    </Page>
  )
}

function usageKeyName({ keys, of }: Report, id: string | null): string {
  if (id === null) return texts.noKey
  const key = keys.find((item) => item.id === id)
  if (!key) return id
  return of === 'me' ? key.name : texts.keyOf(key.name, key.owner.name)
}
