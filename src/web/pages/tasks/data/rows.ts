import { table, useAllRowsOf, useRow as useStoreRow, type RowOf } from '../../../store/index.ts'

export type TaskRow = RowOf<'task'>
export type TaskPatch = Partial<TaskRow>

const tasks = table('task')

export const taskRowOf = (id: string): TaskRow | undefined => tasks.get(id)

export const useRow = (id: string | undefined): TaskRow | undefined => useStoreRow('task', id ?? '')

/** Every loaded task; the same array until one of them changes. */
export const useAllRows = (): readonly TaskRow[] => useAllRowsOf('task')
