import { keyText } from '../../../keys/key-text.ts'
import { count } from '../count.ts'

const cells = (n: number) => count(n, 'cell', 'cells')

/** The table of tasks. */
export const taskTable = {
  yes: 'Yes',
  no: 'No',
  key: 'Task',
  changed: 'Last change',
  created: 'Created',
  changedBy: (name: string, time: string) => `${name}, ${time}`,
  byKey: (key: string, owner: string) => `${key}, key of ${owner}`,
  resize: (name: string) => `Width of ${name}`,
  columnMenu: (name: string) => `Column ${name}`,
  columns: 'Columns',
  sort: 'Order by this column',
  noSuchField: (project: string) => `${project} has no such field.`,
  onlyShown: 'This column is only shown.',
  numbers: {
    estimate: 'An estimate is written as 2h, 1h 30m or 90m.',
    points: 'Points are a number that is not negative.',
    number: 'This field takes a number.',
    url: 'This field takes a web address, such as https://example.org.',
    title: 'A title has between 1 and 500 characters.',
  },
  copied: (n: number) => `${cells(n)} copied`,
  nothingToPaste: 'There is nothing to paste.',
  get clipboardClosed() {
    return `The browser does not give the clipboard away. Press ${keyText('table.paste')} in the table.`
  },
  paste: {
    title: (n: number) => `Before it changes: ${cells(n)} pasted`,
    action: (n: number) => `Change ${cells(n)}`,
    text: (n: number) => `${cells(n)} pasted`,
    same: (n: number) =>
      n === 1 ? '1 cell is like that already.' : `${n} cells are like that already.`,
    beyond: (n: number) =>
      `${cells(n)} beyond the edge of the table ${n === 1 ? 'is' : 'are'} left out.`,
    tooMany: (rows: number, maxRows: number) =>
      `${rows} rows are too many to paste at once; at most ${maxRows} fit.`,
    tooLong: 'This is too much text to paste into a table.',
    notThere: (kind: string, name: string) => `There is no ${kind} “${name}”.`,
    noDay: (text: string) => `“${text}” is no day.`,
    needed: 'It cannot be empty.',
  },
  kinds: {
    status: 'status',
    priority: 'priority',
    person: 'person',
    label: 'label',
    assistant: 'assistant of yours',
    project: 'project',
    sprint: 'sprint',
    milestone: 'milestone',
    option: 'option',
  },
}
