import { Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { settingsTexts as t } from '../texts.ts'
import { formatMoment } from '../../../ui/times.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { formatBytes, formatNumber } from '../shared/words.ts'
import { callsOf, type UsagePlan, type UsageShare } from './usage.ts'

const texts = t.organization.usage

/** The plan and its usage. */
export function Meters({ plan }: { plan: UsagePlan }) {
  const meters: [string, UsageShare | undefined, (value: number) => string, string | undefined][] =
    [
      [
        texts.callsToday,
        callsOf(plan, 'day'),
        formatNumber,
        texts.resets(formatMoment(plan.day_ends_at)),
      ],
      [
        texts.callsMonth,
        callsOf(plan, 'month'),
        formatNumber,
        texts.resets(formatMoment(plan.month_ends_at)),
      ],
      [texts.people, 'people' in plan ? plan.people : undefined, formatNumber, undefined],
      [texts.storage, plan.storage_bytes, formatBytes, undefined],
    ]
  return (
    <SettingsSection title={texts.plan(plan.name)} description={texts.planText}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg">
        {meters.map(
          ([label, share, format, resets]) =>
            share && (
              <Meter key={label} label={label} share={share} format={format} resets={resets} />
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
      ? texts.unlimited(format(used))
      : texts.usedOf(format(used), format(limit), format(Math.max(0, limit - used)))
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
