import { call, type Input } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { saveCsv } from '../../company/save-export.ts'

/** Saves the filtered tasks as a spreadsheet file, which can be imported again. */
export const exportTasks = (filter: Input<'export_tasks'>): Promise<void> =>
  saveCsv('tasks', call('export_tasks', filter), t.tasks.exported)
