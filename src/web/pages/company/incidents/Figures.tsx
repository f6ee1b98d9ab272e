import { useState } from 'react'
import type { Input, Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { addDays, dayOf } from '../../../ui/work/days.ts'
import planning from '../../planning/planning.module.css'
import styles from './incidents.module.css'

const { figures } = words
const periods = [7, 30, 90, 365] as const
const groups = ['severity', 'service', 'team', 'month'] as const
type Group = NonNullable<Input<'get_incident_metrics'>['group_by']>

interface FiguresProps {
  isOpen: boolean
  close: () => void
}

/** Number of incidents, and their durations. */
export function Figures({ isOpen, close }: FiguresProps) {
  return (
    <Dialog isOpen={isOpen} close={close} title={figures.title} isWide>
      <MetricsForm />
    </Dialog>
  )
}

function MetricsForm() {
  const [days, setDays] = useState(30)
  const [groupBy, setGroupBy] = useState<Group>('severity')
  const today = dayOf()
  const metricsQuery = useOperation('get_incident_metrics', {
    from: addDays(today, -days),
    to: today,
    group_by: groupBy,
  })
  return (
    <div className={planning.form}>
      <div className={planning.pair}>
        <label>
          {figures.period}
          <select value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
            {periods.map((n) => (
              <option key={n} value={n}>
                {figures.days(n)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {figures.by}
          <select
            value={groupBy}
            onChange={(event) => setGroupBy(event.currentTarget.value as Group)}
          >
            {groups.map((group) => (
              <option key={group} value={group}>
                {figures.groups[group]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <QueryContent query={metricsQuery}>
        {(metrics) => <Metrics metrics={metrics} groupBy={groupBy} />}
      </QueryContent>
    </div>
  )
}

function Metrics({
  metrics,
  groupBy,
}: {
  metrics: Output<'get_incident_metrics'>
  groupBy: Group
}) {
  if (metrics.count === 0) return <p className={planning.quiet}>{figures.none}</p>
  return (
    <>
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">{figures.groups[groupBy]}</th>
            <th scope="col">{figures.count}</th>
            <th scope="col">{figures.acknowledged}</th>
            <th scope="col">{figures.resolved}</th>
          </tr>
        </thead>
        <tbody>
          {metrics.groups.map(({ key, label, count, mtta, mttr }) => (
            <tr key={key}>
              <th scope="row" dir="auto">
                {label}
              </th>
              <td>{count}</td>
              <td>{figures.minutes(mtta)}</td>
              <td>{figures.minutes(mttr)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.kinds.all}</th>
            <td>{metrics.count}</td>
            <td>{figures.minutes(metrics.mtta_minutes)}</td>
            <td>{figures.minutes(metrics.mttr_minutes)}</td>
          </tr>
        </tfoot>
      </table>
      <TextList
        title={figures.repeated}
        lines={metrics.repeat_causes.map(({ cause, incidents }) =>
          figures.cause(cause, incidents.length),
        )}
      />
      <TextList
        title={figures.load}
        lines={metrics.on_call_load.map(
          ({ person, pages, night_pages: atNight }) =>
            `${person.title}: ${figures.pages(pages, atNight)}`,
        )}
      />
    </>
  )
}

function TextList({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <section className={planning.section}>
      <h2>{title}</h2>
      <ul className="plain-list">
        {lines.map((line) => (
          <li key={line} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </section>
  )
}
