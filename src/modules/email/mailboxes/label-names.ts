import { omitNullish } from '../../../kernel/present.ts'
import { invalid } from '../../../kernel/refusal.ts'

/** Labels to add and to remove, and the two that are places and flags in truth. */
export interface LabelWish {
  add: readonly string[]
  remove: readonly string[]
  starred?: boolean
  spam?: boolean
}

/** Names that are no labels, and the operation that does what is meant. */
const others: Readonly<Record<string, string>> = {
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
 * @throws Refusal invalid_argument for a name that is none, and for one that is to be added and removed
 */
export function wishOf(add: readonly string[] = [], remove: readonly string[] = []): LabelWish {
  if (add.length + remove.length === 0)
    throw invalid('add', 'no label to add or remove is given.', 'Send add or remove.')
  const plus = add.map((name) => labelName(name, 'add'))
  const minus = remove.map((name) => labelName(name, 'remove'))
  const both = plus.find((name) => minus.some((item) => same(item, name)))
  if (both !== undefined) throw invalid('remove', `"${both}" cannot be added and removed at once.`)
  const system = (name: string) => {
    if (plus.some((item) => same(item, name))) return true
    return minus.some((item) => same(item, name)) ? false : undefined
  }
  const normalized = (names: readonly string[]) =>
    distinct(
      names
        .filter((name) => !same(name, 'starred') && !same(name, 'spam'))
        .map((name) => (same(name, 'important') ? 'important' : name)),
    )
  const [starred, spam] = [system('starred'), system('spam')]
  return omitNullish({
    add: normalized(plus),
    remove: normalized(minus),
    starred,
    spam,
  })
}

function labelName(text: string, field: string): string {
  const name = text.trim().replaceAll(/\s+/g, ' ')
  if (name === '' || /^[\\$]|\p{Cc}/u.test(name))
    throw invalid(field, `"${text}" cannot be the name of a label.`)
  const instead = Object.hasOwn(others, name.toLowerCase()) ? others[name.toLowerCase()] : undefined
  if (instead) throw invalid(field, `${name} is not a label.`, instead)
  return name
}

/** @throws Refusal invalid_argument where labels are to be added that no mailbox has yet, and that was not asked for */
export function requireKnown(
  wish: LabelWish,
  labelNames: readonly string[],
  createMissing: boolean,
): void {
  const missing = wish.add.filter(
    (name) => name !== 'important' && !labelNames.some((item) => same(item, name)),
  )
  if (missing.length === 0 || createMissing) return
  const examples = labelNames.slice(0, 40).join(', ')
  throw invalid(
    'add',
    `there is no label ${missing.map((name) => `"${name}"`).join(' or ')} yet.`,
    `create_missing=true creates it.${examples === '' ? '' : ` There are: ${examples}.`}`,
  )
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function distinct(names: readonly string[]): string[] {
  return names.filter((name, i) => names.findIndex((item) => same(item, name)) === i)
}
