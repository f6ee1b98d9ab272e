import { useCommands, type CommandHandlers } from '../../keys/commands.ts'
import type { useListCursor } from '../inbox/usePlace.ts'
import type { CompositionControls } from './compose/useComposition.ts'
import { archive, returnToInbox, markThreads, trash } from './actions.ts'
import { confirmLarge, type BulkCommand } from './picked/large.ts'
import type { PickedThreads } from './picked/usePickedThreads.ts'
import type { MailView, Split, ThreadRow } from './splits.ts'

export const splitCommands = {
  reply: 'mail.toAnswer',
  unread: 'mail.newOnes',
  other: 'mail.others',
  waiting: 'mail.waiting',
  later: 'mail.putOff',
} as const

/** An open menu and its anchor. */
export interface MailMenu {
  menu: 'later' | 'labels'
  anchor: Element
}

interface TriageOptions {
  split: Split
  setSplit: (view: MailView) => void
  setMenu: (menu: MailMenu) => void
  setOpen: (isOpen: boolean) => void
  /** The conversation that stays in the list although it was read. */
  setKeptId: (id: string | undefined) => void
  hasRoom: boolean
  cursor: ReturnType<typeof useListCursor<ThreadRow>>
  picked: PickedThreads
  controls: Pick<CompositionControls, 'write'>
}

/** Keyboard commands of the mail screen. Returns a function that opens a conversation and marks it as read. */
export function useMailCommands(options: TriageOptions): (thread: ThreadRow) => void {
  const { split, setSplit, setMenu, setOpen, setKeptId, hasRoom, cursor, picked, controls } =
    options
  const { entry } = cursor
  const withThread = (run: (thread: ThreadRow) => unknown) => () => {
    if (!entry) return false
    cursor.act(entry.id)
    return run(entry)
  }
  const { withThreads, dealWith } = threadActions(options)
  const open = (thread: ThreadRow) => {
    cursor.go(thread.id)
    setKeptId(thread.id)
    if (thread.unread_count > 0) void markThreads([thread], true)
    if (!hasRoom) setOpen(true)
  }
  const move = (step: number) => {
    setKeptId(undefined)
    cursor.move(step)
  }
  const show = (view: MailView) => {
    setKeptId(undefined)
    setSplit(view)
  }
  useCommands({
    'list.next': () => move(1),
    'list.previous': () => move(-1),
    'list.open': withThread((thread) => {
      open(thread)
      if (hasRoom) document.querySelector<HTMLElement>('[data-reading]')?.focus()
    }),
    'list.back': () => {
      if (picked.threads.length > 0) return picked.clear()
      setOpen(false)
      if (entry) threadElementOf(entry.id)?.focus()
    },
    ...pickCommands(picked, withThread),
    'mail.write': controls.write,
    'mail.archive': dealWith('mail.archive', archive),
    'mail.later': withThreads(() => setMenu(menuAt('later', entry?.id))),
    'mail.labels': withThreads(() => setMenu(menuAt('labels', entry?.id))),
    'mail.back':
      split === 'later' || split === 'waiting' ? dealWith('mail.back', returnToInbox) : undefined,
    'mail.read': dealWith('mail.read', (threads) =>
      markThreads(
        threads,
        threads.some((thread) => thread.unread_count > 0),
      ),
    ),
    'mail.trash': dealWith('mail.trash', trash),
    ...viewCommands(show),
  })
  return open
}

type ThreadsAction = (threads: readonly ThreadRow[]) => unknown

/** Actions on the selected conversations, or on the current one. */
function threadActions({ cursor, picked, setKeptId }: TriageOptions) {
  const { entry } = cursor
  const withThreads = (run: ThreadsAction) => () => {
    if (picked.targets.length === 0) return false
    if (entry) cursor.act(entry.id)
    return run(picked.targets)
  }
  /** Runs an action after a confirmation of large ones, and clears the selection. */
  const confirmAndRun = (command: BulkCommand, run: ThreadsAction) =>
    withThreads((threads) =>
      confirmLarge(command, threads, () => {
        setKeptId(undefined)
        void run(threads)
        picked.clear()
      }),
    )
  return { withThreads, dealWith: confirmAndRun }
}

type WithThread = (run: (thread: ThreadRow) => unknown) => () => unknown

function pickCommands(picked: PickedThreads, withThread: WithThread): CommandHandlers {
  return {
    'list.pick': withThread(({ id }) => picked.toggle(id)),
    'list.pickDown': () => picked.pickBy(1),
    'list.pickUp': () => picked.pickBy(-1),
    'list.pickAll': picked.all,
  }
}

/** Commands for switching the view of the mail screen. */
export function viewCommands(show: (view: MailView) => void): CommandHandlers {
  return {
    'mail.toAnswer': () => show('reply'),
    'mail.newOnes': () => show('unread'),
    'mail.others': () => show('other'),
    'mail.waiting': () => show('waiting'),
    'mail.putOff': () => show('later'),
    'mail.outbox': () => show('outbox'),
  }
}

const threadElementOf = (id: string) => document.querySelector<HTMLElement>(`[data-entry="${id}"]`)

function menuAt(menu: MailMenu['menu'], id: string | undefined): MailMenu {
  const tool =
    document.querySelector(`[data-picked-tool="mail.${menu}"]`) ??
    document.querySelector(`[data-tool="mail.${menu}"]`)
  return {
    menu,
    anchor: tool ?? (id === undefined ? null : threadElementOf(id)) ?? document.body,
  }
}
