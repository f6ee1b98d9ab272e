import type { CSSProperties } from 'react'
import type { Output } from '../../../api/client.ts'
import { timeReportTexts as texts } from '../../../texts/en/planning/time-report.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { itemPathOf } from '../../../ui/kinds.ts'
import { longDay } from '../../../ui/work/days.ts'
import planning from '../planning.module.css'
import { formatDuration } from './durations.ts'
import type { ReportGroup } from './ReportFilters.tsx'
import styles from './report.module.css'

type Report = Output<'get_time_report'>
type Group = Report['groups'][number]

interface ReportTableProps {
  report: Report
  group: ReportGroup
}

/** The groups of a report with their time, and the total. */
export function ReportTable({ report, group }: ReportTableProps) {
  const { groups, total_minutes: total, truncated } = report
  const maxMinutes = Math.max(...groups.map(({ minutes }) => minutes))
  const hasEstimates = groups.some(({ estimate_minutes: estimate }) => estimate !== undefined)
  return (
    <>
      <table className={styles.figures} aria-label={texts.title}>
        <thead>
          <tr>
            <th scope="col">{texts.groups[group]}</th>
            <th scope="col">{texts.columns.time}</th>
            <th scope="col">{texts.columns.billable}</th>
            {hasEstimates && <th scope="col">{texts.columns.estimate}</th>}
          </tr>
        </thead>
        <tbody>
          {groups.map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <GroupName row={row} group={group} />
                <span
                  className={styles.share}
                  style={{ '--share': `${(100 * row.minutes) / maxMinutes}%` } as CSSProperties}
                  aria-hidden
                />
              </th>
              <td>{formatDuration(row.minutes)}</td>
              <td>{formatDuration(row.billable_minutes)}</td>
              {hasEstimates && <td>{formatDuration(row.estimate_minutes ?? 0)}</td>}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <td>{formatDuration(total)}</td>
            <td colSpan={hasEstimates ? 2 : 1} />
          </tr>
        </tfoot>
      </table>
      {truncated && <p className={planning.note}>{texts.truncated}</p>}
    </>
  )
}

/** Name of a group; people, projects and tasks link to their pages. */
function GroupName({ row: { key, label }, group }: { row: Group; group: ReportGroup }) {
  const path = ['person', 'project', 'task'].includes(group) ? itemPathOf(key) : undefined
  if (path === undefined) return <span dir="auto">{group === 'day' ? longDay(label) : label}</span>
  return (
    <AppLink to={path} data-row dir="auto">
      {label}
    </AppLink>
  )
}
