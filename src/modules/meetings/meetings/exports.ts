import { joinValues, type Cell } from '../../../kernel/text/csv.ts'
import { paged, type Order } from '../../../records/paging.ts'
import { tablePage } from '../../../operations/exports/csv-exports.ts'
import { listExport } from '../../../operations/exports/list-exports.ts'
import { meeting } from '../access.ts'
import { presentMeetings } from '../shapes.ts'
import { meetingFilters } from './meetings.ts'

const order: readonly Order[] = [
  { by: 'meetings.takes_place_at', as: 'takes_place_at', dir: 'asc' },
  { by: 'meetings.id', as: 'id', dir: 'asc' },
]

const meetingExport = listExport({
  name: 'export_meetings',
  rest: 'GET /api/meetings/export',
  about: 'Meetings as CSV, by the filters of list_meetings, inline or as a short-lived link',
  searchHint: 'download meetings, meetings as spreadsheet, minutes as csv, list of calls',
  link: {
    name: 'download_meeting_export',
    rest: 'GET /api/meeting-exports/{token}',
    fileName: 'meetings.csv',
  },
  filters: meetingFilters,
  visible: (ctx) => meeting.visibleTo(ctx),
  header: [
    'id',
    'title',
    'kind',
    'status',
    'starts_at',
    'ends_at',
    'organizer',
    'participants',
    'project',
    'agenda',
    'notes_markdown',
    'has_transcript',
    'visibility',
    'created_at',
    'url',
  ],
  async page(ctx, rows, position) {
    const page = await paged(rows.selectAll('meetings'), order, position)
    const notes = new Map(page.items.map((row) => [row.id as string, row.notes_markdown]))
    const shapes = await presentMeetings(ctx, page.items)
    const cells = shapes.map((shape): Cell[] => [
      shape.id,
      shape.title,
      shape.kind,
      shape.status,
      shape.starts_at,
      shape.ends_at,
      shape.organizer.title,
      joinValues(shape.participants.map(({ name, email }) => name ?? email ?? '')),
      shape.project?.title,
      joinValues(shape.agenda.map(({ text }) => text)),
      notes.get(shape.id),
      shape.transcript.exists,
      shape.visibility,
      shape.created_at,
      shape.url,
    ])
    return tablePage(
      page,
      cells,
      shapes.flatMap((shape) => [shape, ...shape.participants]),
    )
  },
})

export const exportMeetings = meetingExport.list
export const downloadMeetingExport = meetingExport.download
