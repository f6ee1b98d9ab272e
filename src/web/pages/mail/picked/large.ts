import { call, type OperationName } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { operationQuery, queries } from '../../../api/queries.ts'
import { confirm, notifyProblem } from '../../../ui/confirm.tsx'
import { isSnoozed, type ThreadRow } from '../splits.ts'
import { mailTexts as t } from '../texts.ts'

type Threads = readonly ThreadRow[]

/** Adds or removes a label on conversations. */
interface LabelChange {
  label: string
  isOn: boolean
}

/** Bulk actions on selected conversations. */
export type BulkCommand = 'mail.archive' | 'mail.back' | 'mail.later' | 'mail.read' | 'mail.trash'

/** Bulk actions that ask for confirmation with many conversations. */
type LargeAction = BulkCommand | LabelChange

/** Number of conversations above which an action needs confirmation. */
const manyThreads = 20
/** Maximum number of conversations in one call. */
const batchSize = 200

const words = t.handling.large

/** True if an action on this many conversations needs confirmation. */
export const isLarge = (threads: Threads): boolean => threads.length > manyThreads

/** Applies an action to conversations; asks for confirmation if there are many. */
export function confirmLarge(action: LargeAction, threads: Threads, apply: () => void): void {
  if (!isLarge(threads)) apply()
  else void askToConfirm(action, threads).then((isConfirmed) => isConfirmed && apply())
}

/**
 * Shows how many conversations of which accounts an action would change, from a dry run if possible; returns whether
 * to continue.
 */
async function askToConfirm(action: LargeAction, threads: Threads): Promise<boolean> {
  try {
    const [changedThreads, accounts] = await Promise.all([
      affectedThreads(action, threads),
      accountNames(),
    ])
    const perAccount = Map.groupBy(changedThreads, ({ account_id }) => account_id)
    const lines = [...perAccount].map(([id, accountThreads]) =>
      words.ofAccount(accounts.get(id) ?? words.otherAccount, accountThreads.length),
    )
    return await confirm({
      ...confirmTexts(action, changedThreads.length),
      text: words.text(lines, threads.length - changedThreads.length),
      isDangerous: action === 'mail.trash',
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    notifyProblem(error)
    return false
  }
}

function confirmTexts(action: LargeAction, count: number): { title: string; action: string } {
  if (typeof action === 'string')
    return { title: words.titles[action](count), action: words.actions[action] }
  const labelWords = words.label[action.isOn ? 'add' : 'remove']
  return { title: labelWords.title(action.label, count), action: labelWords.action }
}

/** The conversations that would change: from a dry run if the operation supports one. */
async function affectedThreads(action: LargeAction, threads: Threads): Promise<ThreadRow[]> {
  if (typeof action !== 'string')
    return threads.filter(({ labels }) => labels.includes(action.label) !== action.isOn)
  if (action === 'mail.trash') return dryRunChanges('trash_emails', threads)
  if (action !== 'mail.archive') return [...threads]
  const inInbox = await dryRunChanges(
    'archive_emails',
    threads.filter((thread) => thread.in_inbox),
  )
  const outside = threads.filter((thread) => !thread.in_inbox && isSnoozed(thread))
  return [...inInbox, ...outside]
}

async function dryRunChanges(
  operation: Extract<OperationName, 'archive_emails' | 'trash_emails'>,
  threads: Threads,
): Promise<ThreadRow[]> {
  const changedIds = new Set<string>()
  for (let offset = 0; offset < threads.length; offset += batchSize) {
    const thread_ids = threads.slice(offset, offset + batchSize).map(({ id }) => id)
    const { items } = await call(operation, { thread_ids, dry_run: true })
    for (const { id } of items) changedIds.add(id)
  }
  return threads.filter(({ id }) => changedIds.has(id))
}

/** The addresses of the reader's accounts, by id. */
async function accountNames(): Promise<ReadonlyMap<string, string>> {
  const { items } = await queries.fetchQuery(operationQuery('list_email_accounts', {}))
  return new Map(items.map(({ id, address }) => [id, address]))
}
