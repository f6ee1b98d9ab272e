// The import thread: reads whole files in a separate process (sandbox.ts explains how to add one).

import { serveTasks } from '../sandbox/reader-server.ts'
import type {
  CalendarFile,
  EventBatch,
  CalendarFileInput,
} from './calendar/transfers/file-reader.ts'
import { slackMessages, slackOverview } from './chat/imports/slack-export.ts'
import { contactBatches, summaryOf } from './contacts/imports/reader.ts'
import { transcriptOf } from './meetings/transcripts/reader.ts'
import { boundedConverter } from './pages/rendering/converter.ts'
import { planOfSource, type ImportSource } from './pages/transfers/import-sources.ts'
import type { ImportPlan } from './pages/transfers/import-plan.ts'
import type { ExportFormat } from './pages/transfers/shapes.ts'
import { parseTaskFile } from './tasks/imports/formats.ts'

const tasks = {
  slackOverview,
  slackMessages,
  parseTaskFile,
  contactsSummary: summaryOf,
  contacts: contactBatches,
  /** Converts the pages of a file. The HTML parser is loaded only for them. */
  pages: async ({
    format,
    ...source
  }: ImportSource & { format: ExportFormat | undefined }): Promise<ImportPlan> => {
    const { toMarkdown } = await import('./pages/rendering/conversions.ts')
    return planOfSource(source, format, boundedConverter(toMarkdown))
  },
  transcript: transcriptOf,
  // Reads calendar files. The parser is loaded only for them.
  fewEvents: async (file: CalendarFileInput): Promise<CalendarFile> =>
    (await import('./calendar/transfers/file-reader.ts')).readSmallFile(file),
  eventBatches: async function* (file: CalendarFileInput): AsyncGenerator<EventBatch, number> {
    return yield* (await import('./calendar/transfers/file-reader.ts')).eventBatches(file)
  },
}

export type ImportTasks = typeof tasks

serveTasks(tasks)
