import { Stack, Table } from '@mantine/core'
import { activityTexts as t } from '../texts.ts'
import { formatDate } from '../../../ui/times.tsx'
import styles from '../activity.module.css'
import { usageByKey, usageByTool, type UsagePart } from './usage.ts'
import type { UsageReport } from '../../../api/usage.ts'

/** The numbers behind the charts. */
export function UsageTables({ report }: { report: UsageReport }) {
  const text = t.activity.usage
  const byDay = report.days
    .toReversed()
    .map((day) => ({ ...day, name: formatDate(`${day.day}T12:00:00`) }))
  return (
    <Stack>
      <UsageTable title={text.byDay} rowHeading={text.day} parts={byDay} />
      <UsageTable title={text.byKey} rowHeading={text.key} parts={usageByKey(report)} />
      <UsageTable title={text.byTool} rowHeading={text.tool} parts={usageByTool(report)} />
    </Stack>
  )
}

function UsageTable({
  title,
  rowHeading,
  parts,
}: {
  title: string
  rowHeading: string
  parts: readonly UsagePart[]
}) {
  const text = t.activity.usage
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table captionSide="top">
        <Table.Caption>{title}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{rowHeading}</Table.Th>
            {[text.calls, text.errors, text.denied, text.rate].map((name) => (
              <Table.Th key={name} scope="col" className={styles.number}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {parts.map(({ name, calls, errors, denied }, i) => (
            <Table.Tr key={i}>
              <Table.Th scope="row" fw={400} dir="auto">
                {name}
              </Table.Th>
              <Table.Td className={styles.number}>{text.number(calls)}</Table.Td>
              <Table.Td className={styles.number}>{text.number(errors)}</Table.Td>
              <Table.Td className={styles.number}>{text.number(denied)}</Table.Td>
              <Table.Td className={styles.number}>
                {calls === 0 ? '–' : text.percent((errors + denied) / calls)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
