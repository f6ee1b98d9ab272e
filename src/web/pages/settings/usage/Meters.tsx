import { Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { settingsTexts as t } from '../texts.ts'
import { formatMoment } from '../../../ui/times.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { formatBytes, formatNumber } from '../shared/words.ts'
import { callsOf, type UsagePlan, type UsageShare } from './usage.ts'

const words = t.organization.usage

/** The plan and its usage. */
export function Meters({ plan }: { plan: UsagePlan }) {
  const all: [string, UsageShare | undefined, (value: number) => string, string | undefined][] = [
    [
      words.callsToday,
      callsOf(plan, 'day'),
      formatNumber,
      words.resets(formatMoment(plan.day_ends_at)),
    ],
    [
      words.callsMonth,
      callsOf(plan, 'month'),
      formatNumber,
      words.resets(formatMoment(plan.month_ends_at)),
    ],
    [words.people, 'people' in plan ? plan.people : undefined, formatNumber, undefined],
    [words.storage, plan.storage_bytes, formatBytes, undefined],
  ]
  return (
    <SettingsSection title={words.plan(plan.name)} about={words.planText}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg">
        {all.map(
          ([label, share, shown, resets]) =>
            share && (
              <Meter key={label} label={label} share={share} format={shown} resets={resets} />
            ),
        )}
      </SimpleGrid>
    </SettingsSection>
  )
}

/** At most 100; a limit of zero is always reached. */
function percentOf(used: number, limit: number): number {
  return limit === 0 ? 100 : Math.min(100, (100 * used) / limit)
}

function meterColor(percent: number): string {
  if (percent >= 100) return 'red'
  return percent >= 80 ? 'yellow' : 'ink'
}

function Meter({
  label,
  share: { used, limit },
  format,
  resets,
}: {
  label: string
  share: UsageShare
  format: (value: number) => string
  resets: string | undefined
}) {
  const percent = limit === undefined ? undefined : percentOf(used, limit)
  const text =
    limit === undefined
      ? words.unlimited(format(used))
      : words.usedOf(format(used), format(limit), format(Math.max(0, limit - used)))
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="sm">{text}</Text>
      {percent !== undefined && (
        <>
          <Progress value={percent} color={meterColor(percent)} aria-label={label} />
          {resets && (
            <Text size="xs" c="dimmed">
              {resets}
            </Text>
          )}
        </>
      )}
    </Stack>
  )
}
