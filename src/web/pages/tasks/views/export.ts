import { call, type Input } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { saveExported } from '../../company/save-export.ts'

/** Saves the filtered tasks as a spreadsheet file, which can be imported again. */
export const exportTasks = (filter: Input<'export_tasks'>): Promise<void> =>
  saveExported(call('export_tasks', filter), {
    name: 'tasks.csv',
    type: 'text/csv',
    noticeOf: t.tasks.exported,
  })
