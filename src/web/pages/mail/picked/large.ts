import { call, type OperationName } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { operationQuery, queries } from '../../../api/queries.ts'
import { confirm, notifyProblem } from '../../../ui/confirm.tsx'
import { isSnoozed, type ThreadRow } from '../splits.ts'
import { mailTexts as t } from '../texts.ts'

type Threads = readonly ThreadRow[]

/** Adds or removes a label on conversations. */
interface LabelDeed {
  label: string
  isOn: boolean
}

/** Bulk actions on selected conversations. */
export type Deed = 'mail.archive' | 'mail.back' | 'mail.later' | 'mail.read' | 'mail.trash'

/** Bulk actions that ask for confirmation with many conversations. */
type LargeDeed = Deed | LabelDeed

/** Number of conversations above which an action needs confirmation. */
const manyThreads = 20
/** Maximum number of conversations in one call. */
const batchSize = 200

const words = t.handling.large

/** True if an action on this many conversations needs confirmation. */
export const isLarge = (threads: Threads): boolean => threads.length > manyThreads

/** Applies an action to conversations; asks for confirmation if there are many. */
export function confirmLarge(deed: LargeDeed, threads: Threads, act: () => void): void {
  if (!isLarge(threads)) act()
  else void askLarge(deed, threads).then((isMeant) => isMeant && act())
}

/**
 * Shows how many conversations of which accounts an action would change, from a dry run if possible; returns whether
 * to continue.
 */
async function askLarge(deed: LargeDeed, threads: Threads): Promise<boolean> {
  try {
    const [changed, accounts] = await Promise.all([tryOut(deed, threads), accountNames()])
    const perAccount = Map.groupBy(changed, ({ account_id }) => account_id)
    const lines = [...perAccount].map(([id, own]) =>
      words.ofAccount(accounts.get(id) ?? words.otherAccount, own.length),
    )
    return await confirm({
      ...saidOf(deed, changed.length),
      text: words.text(lines, threads.length - changed.length),
      isDangerous: deed === 'mail.trash',
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    notifyProblem(error)
    return false
  }
}

function saidOf(deed: LargeDeed, count: number): { title: string; action: string } {
  if (typeof deed === 'string')
    return { title: words.titles[deed](count), action: words.actions[deed] }
  const labelWords = words.label[deed.isOn ? 'add' : 'remove']
  return { title: labelWords.title(deed.label, count), action: labelWords.action }
}

/** The conversations that would change: from a dry run if the operation supports one. */
async function tryOut(deed: LargeDeed, threads: Threads): Promise<ThreadRow[]> {
  if (typeof deed !== 'string')
    return threads.filter(({ labels }) => labels.includes(deed.label) !== deed.isOn)
  if (deed === 'mail.trash') return changedBy('trash_emails', threads)
  if (deed !== 'mail.archive') return [...threads]
  const inInbox = await changedBy(
    'archive_emails',
    threads.filter((thread) => thread.in_inbox),
  )
  const outside = threads.filter((thread) => !thread.in_inbox && isSnoozed(thread))
  return [...inInbox, ...outside]
}

async function changedBy(
  operation: Extract<OperationName, 'archive_emails' | 'trash_emails'>,
  threads: Threads,
): Promise<ThreadRow[]> {
  const changed = new Set<string>()
  for (let from = 0; from < threads.length; from += batchSize) {
    const thread_ids = threads.slice(from, from + batchSize).map(({ id }) => id)
    const { items } = await call(operation, { thread_ids, dry_run: true })
    for (const { id } of items) changed.add(id)
  }
  return threads.filter(({ id }) => changed.has(id))
}

/** The addresses of the reader's accounts, by id. */
async function accountNames(): Promise<ReadonlyMap<string, string>> {
  const { items } = await queries.fetchQuery(operationQuery('list_email_accounts', {}))
  return new Map(items.map(({ id, address }) => [id, address]))
}
