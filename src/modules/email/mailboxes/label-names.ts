import { omitNullish } from '../../../kernel/present.ts'
import { invalid } from '../../../kernel/refusal.ts'

/** Labels to add and to remove, and the two system labels that are really a flag and a place. */
export interface LabelChange {
  add: readonly string[]
  remove: readonly string[]
  starred?: boolean
  spam?: boolean
}

/** Names that are not labels, with the operation to use instead. */
const reservedNames: Readonly<Record<string, string>> = {
  inbox: 'Use archive_emails to remove mail from the inbox and move_emails to put it back.',
  archive: 'archive_emails archives.',
  trash: 'trash_emails moves to the trash, move_emails back.',
  unread: 'mark_emails_read marks read and unread.',
  sent: 'Whether a message was sent does not change.',
  drafts: 'Drafts have their own operations, such as create_email_draft.',
  snoozed: 'snooze_email hides a thread for a while.',
}

/**
 * Parses label names into additions and removals.
 * @throws Refusal invalid_argument for an invalid name, and for a name both added and removed
 */
export function parseLabelChange(
  add: readonly string[] = [],
  remove: readonly string[] = [],
): LabelChange {
  if (add.length + remove.length === 0)
    throw invalid('add', 'no label to add or remove is given.', 'Send add or remove.')
  const added = add.map((name) => labelName(name, 'add'))
  const removed = remove.map((name) => labelName(name, 'remove'))
  const both = added.find((name) => removed.some((item) => isSameName(item, name)))
  if (both !== undefined) throw invalid('remove', `"${both}" cannot be added and removed at once.`)
  const systemLabelChange = (name: string) => {
    if (added.some((item) => isSameName(item, name))) return true
    return removed.some((item) => isSameName(item, name)) ? false : undefined
  }
  const normalized = (names: readonly string[]) =>
    distinct(
      names
        .filter((name) => !isSameName(name, 'starred') && !isSameName(name, 'spam'))
        .map((name) => (isSameName(name, 'important') ? 'important' : name)),
    )
  const [starred, spam] = [systemLabelChange('starred'), systemLabelChange('spam')]
  return omitNullish({
    add: normalized(added),
    remove: normalized(removed),
    starred,
    spam,
  })
}

function labelName(text: string, field: string): string {
  const name = text.trim().replaceAll(/\s+/g, ' ')
  if (name === '' || /^[\\$]|\p{Cc}/u.test(name))
    throw invalid(field, `"${text}" cannot be the name of a label.`)
  const instead = Object.hasOwn(reservedNames, name.toLowerCase())
    ? reservedNames[name.toLowerCase()]
    : undefined
  if (instead) throw invalid(field, `${name} is not a label.`, instead)
  return name
}

/** @throws Refusal invalid_argument if labels are missing and must not be created */
export function requireExistingLabels(
  wish: LabelChange,
  labelNames: readonly string[],
  createMissing: boolean,
): void {
  const missing = wish.add.filter(
    (name) => name !== 'important' && !labelNames.some((item) => isSameName(item, name)),
  )
  if (missing.length === 0 || createMissing) return
  const examples = labelNames.slice(0, 40).join(', ')
  throw invalid(
    'add',
    `there is no label ${missing.map((name) => `"${name}"`).join(' or ')} yet.`,
    `create_missing=true creates it.${examples === '' ? '' : ` There are: ${examples}.`}`,
  )
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function distinct(names: readonly string[]): string[] {
  return names.filter((name, i) => names.findIndex((item) => isSameName(item, name)) === i)
}
