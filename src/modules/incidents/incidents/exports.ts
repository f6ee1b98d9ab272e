import { joinValues, type Cell } from '../../../kernel/text/csv.ts'
import { paged, type Order } from '../../../records/paging.ts'
import { tablePage } from '../../../operations/exports/csv-exports.ts'
import { listExport } from '../../../operations/exports/list-exports.ts'
import { incident } from '../access.ts'
import { presentIncidents } from '../shapes.ts'
import { stateFilters } from './filters.ts'

const order: readonly Order[] = [
  { by: 'incidents.opened_at', as: 'opened_at', dir: 'asc' },
  { by: 'incidents.id', as: 'id', dir: 'asc' },
]

const incidentExport = listExport({
  name: 'export_incidents',
  rest: 'GET /api/incidents/export',
  about: 'Incidents as CSV, by the filters of list_incidents, inline or as a short-lived link',
  searchHint: 'download incidents, outages as spreadsheet, incidents as csv, report for an auditor',
  link: {
    name: 'download_incident_export',
    rest: 'GET /api/incident-exports/{token}',
    fileName: 'incidents.csv',
  },
  filters: stateFilters,
  visible: (ctx) => incident.visibleTo(ctx),
  header: [
    'key',
    'title',
    'severity',
    'status',
    'services',
    'lead',
    'detected_at',
    'opened_at',
    'acknowledged_at',
    'mitigated_at',
    'resolved_at',
    'closed_at',
    'summary_markdown',
    'cause',
    'customer_impact',
    'resolution',
    'restricted',
    'url',
  ],
  async page(ctx, rows, at) {
    const page = await paged(rows.selectAll('incidents'), order, at)
    const shapes = await presentIncidents(ctx, page.items)
    const cells = shapes.map((shape): Cell[] => [
      shape.key,
      shape.title,
      shape.severity,
      shape.status,
      joinValues(shape.services.map(({ title }) => title)),
      shape.roles.lead?.title,
      shape.detected_at,
      shape.opened_at,
      shape.acknowledged_at,
      shape.mitigated_at,
      shape.resolved_at,
      shape.closed_at,
      shape.summary_markdown,
      shape.cause,
      shape.customer_impact,
      shape.resolution,
      shape.restricted,
      shape.url,
    ])
    return tablePage(page, cells, shapes)
  },
})

export const exportIncidents = incidentExport.list
export const downloadIncidentExport = incidentExport.download
