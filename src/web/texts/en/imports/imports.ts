import { count } from '../count.ts'

/** Texts common to all imports. */
export const importTexts = {
  titles: {
    tasks: 'Import tasks',
    pages: 'Import pages',
    channels: 'Import channels',
    contacts: 'Import contacts',
  },
  source: 'What is imported',
  file: 'File',
  drop: 'A file can be dropped here, too.',
  paste: 'Or paste its text',
  pasted: 'pasted text',
  uploading: (name: string) => `Uploading ${name}`,
  large: 'The file is put into your drive for this and moved to the trash afterwards.',
  reading: 'Reading it…',
  nothingYet: 'Nothing is written before you have seen what becomes of it.',
  problems: (n: number) => `${n} left out`,
  warnings: (n: number) => count(n, 'remark', 'remarks'),
  fix: 'Everything else is imported. Correct the file and import it again for what is missing.',
  more: (n: number) => `and ${count(n, 'more', 'more')}`,
  line: (line: number | string, reason: string) =>
    typeof line === 'number' ? `Line ${line}: ${reason}` : `${line}: ${reason}`,
  options: 'More options',
  importOf: (name: string) => `Import of ${name}`,
  sending: 'Importing…',
  progress: (done: number, total: number | undefined) =>
    total === undefined ? `${done} imported` : `${done} of ${total} imported`,
  waiting: 'The import begins in a moment…',
  goesOn: 'The import goes on when you close this, and says when it is done.',
  stop: 'Stop the import',
  stopped: 'The import was stopped. What it had made by then stays.',
  failed: 'The import did not get to its end. What it had made by then stays.',
  undo: 'Undo the import',
  undoing: (n: number) => `Undoing ${count(n, 'step', 'steps')} of the import…`,
  close: 'Close',
  again: 'Import another file',
  back: 'Back',
}
