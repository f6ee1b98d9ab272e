import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { t } from '../../../texts/index.ts'
import { Ago, ago } from '../../../ui/times.tsx'
import type { RowColumn } from '../../../ui/work/table/columns.ts'
import table from '../../../ui/work/table/table.module.css'
import { Face } from '../../../ui/work/Who.tsx'
import { updateIncident, type IncidentRow } from './data.ts'
import { SeverityWord, StatusWord } from './marks.tsx'
import styles from './incidents.module.css'
import { RolePicker, ServicesPicker, SeverityPicker } from './pickers.tsx'

const { fields } = words

const serviceNames = ({ services }: IncidentRow) => services.map(({ title }) => title).join(', ')

export const incidentColumns: readonly RowColumn<IncidentRow>[] = [
  {
    id: 'title',
    label: fields.title,
    width: 320,
    isPinned: true,
    content: ({ key, title }) => (
      <>
        <span className={styles.key}>{key}</span>
        <span className={table.text} dir="auto">
          {title}
        </span>
      </>
    ),
    text: ({ title }) => title,
    write: (incident, text) => {
      const title = text.trim()
      if (title !== '' && title !== incident.title)
        updateIncident(incident, { title }, { set: { title }, description: t.tasks.set.title })
    },
  },
  {
    id: 'severity',
    label: fields.severity,
    width: 140,
    content: ({ severity }) => <SeverityWord severity={severity} />,
    text: ({ severity }) => words.severities[severity],
    list: (incident, pickerProps) => <SeverityPicker {...pickerProps} incident={incident} />,
  },
  {
    id: 'status',
    label: fields.status,
    width: 130,
    content: ({ status }) => <StatusWord status={status} />,
    text: ({ status }) => words.statuses[status],
  },
  {
    id: 'lead',
    label: fields.lead,
    width: 160,
    content: ({ roles: { lead } }) =>
      lead && (
        <>
          <Face id={lead.id} name={lead.title} size={18} />
          <span className={table.text} dir="auto">
            {lead.title}
          </span>
        </>
      ),
    text: ({ roles: { lead } }) => lead?.title ?? '',
    list: (incident, pickerProps) => (
      <RolePicker {...pickerProps} incident={incident} duty="lead" />
    ),
  },
  {
    id: 'opened',
    label: fields.opened,
    width: 130,
    content: ({ opened_at: at }) => <Ago time={at} />,
    text: ({ opened_at: at }) => ago(at),
  },
  {
    id: 'services',
    label: fields.services,
    width: 220,
    content: (incident) => (
      <span className={table.text} dir="auto">
        {serviceNames(incident)}
      </span>
    ),
    text: serviceNames,
    list: (incident, pickerProps) => <ServicesPicker {...pickerProps} incident={incident} />,
  },
]
