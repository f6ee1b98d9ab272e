import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { Anchor, Box, Collapse, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { settingsTexts as t } from '../texts.ts'
import { formatNumber } from '../shared/words.ts'
import { Tallies } from './Tallies.tsx'
import type { UsageReport } from '../../../api/usage.ts'

const texts = t.organization.usage
const dayFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const formatDay = (day: string) => dayFormat.format(new Date(`${day}T00:00Z`))

/** Calls per day as a chart, and as a table. */
export function DayChart({ usage: { days, calls } }: { usage: UsageReport }) {
  const [isTable, { toggle }] = useDisclosure()
  if (calls === 0) return <Text size="sm">{texts.nothing}</Text>
  const data = days.map((day) => ({
    day: formatDay(day.day),
    [texts.fine]: day.calls - day.errors - day.denied,
    [texts.errors]: day.errors,
    [texts.denied]: day.denied,
  }))
  const series = [
    { name: texts.fine, color: 'ink.6' },
    { name: texts.errors, color: 'red.7' },
    { name: texts.denied, color: 'yellow.7' },
  ]
  return (
    <Stack gap="xs">
      <Box role="img" aria-label={texts.chart(days.length, calls)}>
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
        {texts.asTable}
      </Anchor>
      <Collapse expanded={isTable}>
        <Tallies
          label={texts.perDay}
          name={texts.day}
          rows={days.toReversed().map((day) => ({ ...day, name: formatDay(day.day) }))}
        />
      </Collapse>
    </Stack>
  )
}
