import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { Anchor, Box, Collapse, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { settingsTexts as t } from '../texts.ts'
import { formatNumber } from '../shared/words.ts'
import { Tallies } from './Tallies.tsx'
import type { UsageReport } from '../../../api/usage.ts'

const words = t.organization.usage
const short = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const dayOf = (day: string) => short.format(new Date(`${day}T00:00Z`))

/** Calls per day as a chart, and as a table. */
export function DayChart({ usage: { days, calls } }: { usage: UsageReport }) {
  const [isTable, { toggle }] = useDisclosure()
  if (calls === 0) return <Text size="sm">{words.nothing}</Text>
  const data = days.map((day) => ({
    day: dayOf(day.day),
    [words.fine]: day.calls - day.errors - day.denied,
    [words.errors]: day.errors,
    [words.denied]: day.denied,
  }))
  const series = [
    { name: words.fine, color: 'ink.6' },
    { name: words.errors, color: 'red.7' },
    { name: words.denied, color: 'yellow.7' },
  ]
  return (
    <Stack gap="xs">
      <Box role="img" aria-label={words.chart(days.length, calls)}>
        <BarChart
          h={220}
          data={data}
          dataKey="day"
          type="stacked"
          series={series}
          withLegend
          valueFormatter={formatNumber}
          barChartProps={{ accessibilityLayer: false }}
          barProps={{ isAnimationActive: false }}
        />
      </Box>
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="start"
        onClick={toggle}
        aria-expanded={isTable}
      >
        {words.asTable}
      </Anchor>
      <Collapse expanded={isTable}>
        <Tallies
          label={words.perDay}
          name={words.day}
          rows={days.toReversed().map((day) => ({ ...day, name: dayOf(day.day) }))}
        />
      </Collapse>
    </Stack>
  )
}
