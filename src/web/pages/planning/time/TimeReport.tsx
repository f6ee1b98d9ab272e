import { useDocumentTitle } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight, IconClock } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { tooltipOf } from '../../../keys/tooltip.ts'
import { timeReportTexts as texts } from '../../../texts/en/planning/time-report.ts'
import { t } from '../../../texts/index.ts'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { dayOf, shortDate } from '../../../ui/work/days.ts'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import planning from '../planning.module.css'
import { exportTime } from './export.ts'
import { nextPeriod, periodOf } from './periods.ts'
import { ReportFilters, type ReportChoice } from './ReportFilters.tsx'
import { ReportTable } from './ReportTable.tsx'
import styles from './report.module.css'
import time from './time.module.css'
import { TimeTabs } from './TimeTabs.tsx'

/** The time of a period by project, person or other groups, from all visible entries. */
export function TimeReport() {
  useDocumentTitle(`${texts.title} – ${t.app.name}`)
  const [day, setDay] = useState(dayOf)
  const [choice, setChoice] = useState<ReportChoice>({
    unit: 'month',
    group: 'project',
    projectId: '',
    personId: '',
  })
  const content = useRef<HTMLDivElement>(null)
  const { unit, group, projectId, personId } = choice
  const filter = {
    ...periodOf(unit, day),
    ...(projectId !== '' && { project_id: projectId }),
    ...(personId !== '' && { person_id: personId }),
  }
  const timeReport = useOperation('get_time_report', { ...filter, group_by: group })
  useRowKeys(content)
  useCommands({
    'period.previous': () => setDay(nextPeriod(unit, day, -1)),
    'period.next': () => setDay(nextPeriod(unit, day, 1)),
    'timeline.today': () => setDay(dayOf()),
    'time.export': () => void exportTime(filter),
  })
  return (
    <>
      <header className={planning.bar}>
        <h1 className={planning.hidden}>{texts.title}</h1>
        <TimeTabs />
        <Step command="period.previous" />
        <span className={time.week}>
          {t.planning.time.week(shortDate(filter.from), shortDate(filter.to))}
        </span>
        <Step command="period.next" />
        <button
          type="button"
          className={planning.button}
          title={tooltipOf('time.export')}
          onClick={() => runCommand('time.export')}
        >
          {texts.download}
        </button>
      </header>
      <div ref={content} className={styles.report}>
        <ReportFilters choice={choice} onChange={setChoice} />
        <QueryContent query={timeReport}>
          {(report) =>
            report.groups.length === 0 ? (
              <EmptyState icon={IconClock} {...texts.empty} />
            ) : (
              <ReportTable report={report} group={group} />
            )
          }
        </QueryContent>
        <p className={planning.note}>{texts.about}</p>
      </div>
    </>
  )
}

function Step({ command }: { command: 'period.previous' | 'period.next' }) {
  const Shape = command === 'period.next' ? IconChevronRight : IconChevronLeft
  return (
    <button
      type="button"
      className={planning.button}
      data-plain
      aria-label={t.keys.commands[command]}
      title={tooltipOf(command)}
      onClick={() => runCommand(command)}
    >
      <Shape size={15} aria-hidden />
    </button>
  )
}
