import { call, type Input } from '../../../api/client.ts'
import { timeReportTexts as texts } from '../../../texts/en/planning/time-report.ts'
import { saveCsv } from '../../company/save-export.ts'

type ExportFilter = Input<'export_time_entries'> & { from: string; to: string }

/** Saves the entries of a period as a spreadsheet file. */
export const exportTime = (filter: ExportFilter): Promise<void> =>
  saveCsv(
    `time ${filter.from} to ${filter.to}`,
    call('export_time_entries', filter),
    texts.downloaded,
  )
