import { useCommands, type CommandRuns } from '../../keys/commands.ts'
import type { usePlace } from '../inbox/usePlace.ts'
import type { CompositionControls } from './compose/useComposition.ts'
import { archive, bringBack, markThreads, trash } from './actions.ts'
import { confirmLarge, type Deed } from './picked/large.ts'
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
  place: ReturnType<typeof usePlace<ThreadRow>>
  picked: PickedThreads
  writing: Pick<CompositionControls, 'write'>
}

/** Keyboard commands of the mail screen. Returns a function that opens a conversation and marks it as read. */
export function useTriage(options: TriageOptions): (thread: ThreadRow) => void {
  const { split, setSplit, setMenu, setOpen, setKeptId, hasRoom, place, picked, writing } = options
  const { entry } = place
  const withThread = (run: (thread: ThreadRow) => unknown) => () => {
    if (!entry) return false
    place.act(entry.id)
    return run(entry)
  }
  const { withThreads, dealWith } = actingOn(options)
  const open = (thread: ThreadRow) => {
    place.go(thread.id)
    setKeptId(thread.id)
    if (thread.unread_count > 0) void markThreads([thread], true)
    if (!hasRoom) setOpen(true)
  }
  const move = (step: number) => {
    setKeptId(undefined)
    place.move(step)
  }
  const show = (to: MailView) => {
    setKeptId(undefined)
    setSplit(to)
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
    'mail.write': writing.write,
    'mail.archive': dealWith('mail.archive', archive),
    'mail.later': withThreads(() => setMenu(menuAt('later', entry?.id))),
    'mail.labels': withThreads(() => setMenu(menuAt('labels', entry?.id))),
    'mail.back':
      split === 'later' || split === 'waiting' ? dealWith('mail.back', bringBack) : undefined,
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

type Run = (threads: readonly ThreadRow[]) => unknown

/** Actions on the selected conversations, or on the current one. */
function actingOn({ place, picked, setKeptId }: TriageOptions) {
  const { entry } = place
  const withThreads = (run: Run) => () => {
    if (picked.meant.length === 0) return false
    if (entry) place.act(entry.id)
    return run(picked.meant)
  }
  /** Removes them from view, so that none is selected any more. */
  const dealWith = (deed: Deed, run: Run) =>
    withThreads((threads) =>
      confirmLarge(deed, threads, () => {
        setKeptId(undefined)
        void run(threads)
        picked.clear()
      }),
    )
  return { withThreads, dealWith }
}

type WithThread = (run: (thread: ThreadRow) => unknown) => () => unknown

function pickCommands(picked: PickedThreads, withThread: WithThread): CommandRuns {
  return {
    'list.pick': withThread(({ id }) => picked.toggle(id)),
    'list.pickDown': () => picked.pickBy(1),
    'list.pickUp': () => picked.pickBy(-1),
    'list.pickAll': picked.all,
  }
}

/** Commands for switching the view of the mail screen. */
export function viewCommands(show: (view: MailView) => void): CommandRuns {
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
