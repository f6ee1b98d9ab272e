import { Button, Card, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChartBar } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEndpoint } from '../../../api/queries.ts'
import { useIsAdmin } from '../../../session/session.ts'
import { activityTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { Tabs } from '../Tabs.tsx'
import { usageByKey, usageByTool } from './usage.ts'
import type { UsageReport } from '../../../api/usage.ts'
import { DayChart, PartChart } from './UsageCharts.tsx'
import { UsageTables } from './UsageTables.tsx'

const ranges = [7, 30, 90] as const

/** Usage by assistants, with the share of failed calls. */
export function UsagePage() {
  const text = t.activity.usage
  const search = useSearch({ strict: false }) as { days?: unknown; of?: unknown }
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const days = ranges.find((range) => range === Number(search.days)) ?? 30
  const scope = isAdmin && search.of === 'organization' ? 'organization' : 'me'
  const change = (patch: { days?: number; of?: string }) =>
    void navigate({
      to: '.',
      search: { days, ...(scope === 'me' ? {} : { of: scope }), ...patch },
      replace: true,
      resetScroll: false,
    })
  const report = useEndpoint('/web/usage', { days, of: scope })
  return (
    <Page
      title={text.title}
      description={text.about}
      isWide
      actions={
        isAdmin && (
          <SegmentedControl
            aria-label={t.activity.whose.label}
            size="xs"
            value={scope}
            onChange={(value) => change({ of: value === 'me' ? undefined : value })}
            data={[
              { value: 'me', label: t.activity.whose.me },
              { value: 'organization', label: t.activity.whose.organization },
            ]}
          />
        )
      }
    >
      <Group justify="space-between">
        <Tabs activeTab="usage" />
        <SegmentedControl
          aria-label={text.days}
          size="xs"
          value={String(days)}
          onChange={(value) => change({ days: Number(value) })}
          data={ranges.map((n) => ({ value: String(n), label: text.range(n) }))}
        />
      </Group>
      <QueryContent query={report}>
        {(data) =>
          data.calls === 0 ? (
            <EmptyState icon={IconChartBar} title={text.empty.title} text={text.empty.text} />
          ) : (
            <Report report={data} />
          )
        }
      </QueryContent>
    </Page>
  )
}

function Report({ report }: { report: UsageReport }) {
  const text = t.activity.usage
  const [isOpen, { toggle }] = useDisclosure()
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Figure label={text.calls} value={text.number(report.calls)} />
        <Figure
          label={text.rate}
          value={text.percent((report.errors + report.denied) / report.calls)}
        />
        <Figure label={text.errors} value={text.number(report.errors)} />
        <Figure label={text.denied} value={text.number(report.denied)} />
      </SimpleGrid>
      <DayChart report={report} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <PartChart title={text.byKey} parts={usageByKey(report)} />
        <PartChart title={text.byTool} parts={usageByTool(report)} />
      </SimpleGrid>
      <div>
        <Button size="xs" variant="default" onClick={toggle} aria-expanded={isOpen}>
          {isOpen ? text.hideTable : text.table}
        </Button>
      </div>
      {isOpen && <UsageTables report={report} />}
    </Stack>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <Card withBorder p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={650}>
        {value}
      </Text>
    </Card>
  )
}
