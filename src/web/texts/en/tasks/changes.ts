import { count } from '../count.ts'

/** Preview and result of changing many values at once. */
export const preview = {
  label: 'Changes',
  title: (change: string) => `Before it changes: ${change}`,
  change: (n: number) => `Change ${count(n, 'task', 'tasks')}`,
  same: (n: number) =>
    n === 1 ? '1 task is like that already.' : `${n} tasks are like that already.`,
  problems: (n: number) => `${n} cannot be changed`,
  task: 'Task',
  value: 'Value',
  now: 'Now',
  after: 'Then',
}
