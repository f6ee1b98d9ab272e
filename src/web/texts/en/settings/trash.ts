import { count } from '../count.ts'

/** The trash of the workspace, and the labels of the organization. */
export const trash = {
  title: 'Trash',
  about:
    'What was deleted and you may restore, the latest first. Each is deleted for good on the day it names.',
  kind: 'Kind',
  all: 'Everything',
  by: 'Deleted by',
  anybody: 'Everybody',
  me: 'Me',
  none: 'The trash is empty',
  noneText: 'What you delete in the workspace stands here until its last day.',
  noneOfKind: 'Nothing of this kind is in the trash',
  deleted: (name: string | undefined, time: string) =>
    name === undefined ? `Deleted ${time}` : `Deleted by ${name} ${time}`,
  until: (day: string) => `gone for good on ${day}`,
  parts: (n: number) => `with ${count(n, 'part', 'parts')}`,
  restore: 'Restore',
  restoreNamed: (title: string) => `Restore ${title}`,
  restored: (title: string) => `Restored: ${title}`,
  labels: {
    title: 'Labels',
    about:
      'The labels of tasks, pages, contacts, deals, files and incidents. Everybody in the organization uses the same.',
    none: 'No labels yet',
    noneText: 'A label marks what belongs together across projects.',
    create: 'New label',
    created: (name: string) => `Created: ${name}`,
    exists: (name: string) => `There is already a label ${name}.`,
    edit: 'Edit',
    editNamed: (name: string) => `Edit ${name}`,
    saved: (name: string) => `Saved: ${name}`,
    name: 'Name',
    color: 'Colour',
    description: 'Description',
    remove: 'Delete',
    removeNamed: (name: string) => `Delete ${name}`,
    question: (name: string) => `Delete the label ${name}?`,
    removeText: (uses: number) =>
      uses === 0
        ? 'It is on nothing. It can be restored from the trash.'
        : `It is taken off ${count(uses, 'item', 'items')}. It can be restored from the trash.`,
    removed: (name: string) => `In the trash: ${name}`,
    uses: (n: number) => (n === 0 ? 'not used' : `on ${count(n, 'item', 'items')}`),
  },
}
