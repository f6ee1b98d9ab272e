import '@mantine/charts/styles.css'
import { BarChart, BarsList } from '@mantine/charts'
import { Card, Text, Title } from '@mantine/core'
import { activityTexts as t } from '../texts.ts'
import styles from '../activity.module.css'
import { largestParts, type UsagePart } from './usage.ts'
import type { UsageReport } from '../../../api/usage.ts'

const text = t.activity.usage
const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const outcomes = [
  { name: 'done', label: text.done, color: 'ink.6' },
  { name: 'errors', label: text.errors, color: 'red.7' },
  { name: 'denied', label: text.denied, color: 'yellow.7' },
]

/** Calls per day by outcome. */
export function DayChart({ report }: { report: UsageReport }) {
  const data = report.days.map(({ day, calls, errors, denied }) => ({
    day: dayFormat.format(new Date(day)),
    done: calls - errors - denied,
    errors,
    denied,
  }))
  return (
    <Card withBorder component="section">
      <Title order={2} size="h3" mb="sm">
        {text.byDay}
      </Title>
      <div role="img" aria-label={text.chart(report.calls, report.days.length)}>
        <BarChart
          h={220}
          data={data}
          dataKey="day"
          type="stacked"
          series={outcomes}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          tickLine="none"
          yAxisProps={{ allowDecimals: false }}
          barProps={{ isAnimationActive: false }}
          valueFormatter={text.number}
        />
      </div>
      <Text size="xs" c="dimmed" mt="xs">
        {text.zone(report.timezone)}
      </Text>
    </Card>
  )
}

/** Chart of the parts that make up the calls, the largest first. */
export function PartChart({ title, parts }: { title: string; parts: readonly UsagePart[] }) {
  const data = largestParts(parts, 8).map((usagePart) => ({
    name: usagePart.name,
    value: usagePart.calls,
  }))
  return (
    <Card withBorder component="section" className={styles.bars}>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      <BarsList
        data={data}
        valueFormatter={text.number}
        barColor="var(--app-bar)"
        barTextColor="var(--mantine-color-text)"
        minBarSize={140}
      />
    </Card>
  )
}
