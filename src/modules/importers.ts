// The thread of importers: it reads whole files for imports, in a process of its own (src/sandbox/sandbox.ts tells how to add one).

import { serveTasks } from '../sandbox/serving.ts'
import type { EventBatch, FileQuestion, ReadEvent } from './calendar/file-reading.ts'
import { slackMessages, slackOverview } from './chat/slack-export.ts'
import { contactsIn, summaryOf } from './contacts/import-reading.ts'
import { transcriptOf } from './meetings/reading.ts'
import { bounded } from './pages/converter.ts'
import { planOfSource, type Source } from './pages/import-sources.ts'
import type { Plan } from './pages/import-plan.ts'
import type { ExportFormat } from './pages/shapes-transfers.ts'
import { parseTaskFile } from './tasks/import-formats.ts'

const tasks = {
  slackOverview,
  slackMessages,
  parseTaskFile,
  contactsSummary: summaryOf,
  contacts: contactsIn,
  /** What the pages of a file become. What reads HTML is loaded for them alone. */
  pages: async ({
    format,
    ...source
  }: Source & { format: ExportFormat | undefined }): Promise<Plan> => {
    const { toMarkdown } = await import('./pages/rendering.ts')
    return planOfSource(source, format, bounded(toMarkdown))
  },
  transcript: transcriptOf,
  // What reads calendars is loaded for them alone.
  fewEvents: async (file: FileQuestion): Promise<ReadEvent[] | undefined> =>
    (await import('./calendar/file-reading.ts')).fewEvents(file),
  eventBatches: async function* (file: FileQuestion): AsyncGenerator<EventBatch, number> {
    return yield* (await import('./calendar/file-reading.ts')).eventBatches(file)
  },
}

export type ImportTasks = typeof tasks

serveTasks(tasks)
