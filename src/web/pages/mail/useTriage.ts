import { useCommands } from '../../keys/commands.ts'
import type { usePlace } from '../inbox/usePlace.ts'
import type { MailWriting } from './compose/useComposition.ts'
import { archive, bringBack, mark, trash } from './actions.ts'
import type { Split, ThreadRow } from './splits.ts'

export const splitCommands = {
  reply: 'mail.toAnswer',
  unread: 'mail.newOnes',
  other: 'mail.others',
  waiting: 'mail.waiting',
  later: 'mail.putOff',
} as const

interface TriageOptions {
  split: Split
  setSplit: (split: Split) => void
  setLaterAt: (anchor: Element) => void
  setOpen: (isOpen: boolean) => void
  /** The conversation that stays in the list though it was read. */
  setKeptId: (id: string | undefined) => void
  hasRoom: boolean
  place: ReturnType<typeof usePlace<ThreadRow>>
  writing: Pick<MailWriting, 'write'>
}

/** What keys do on the mail screen. Returns what opens a conversation: it is read then. */
export function useTriage(options: TriageOptions): (thread: ThreadRow) => void {
  const { split, setSplit, setLaterAt, setOpen, setKeptId, hasRoom, place, writing } = options
  const { entry } = place
  const withThread = (run: (thread: ThreadRow) => unknown) => () => {
    if (!entry) return false
    place.act(entry.id)
    return run(entry)
  }
  const open = (thread: ThreadRow) => {
    place.go(thread.id)
    setKeptId(thread.id)
    if (thread.unread_count > 0) void mark(thread, true)
    if (!hasRoom) setOpen(true)
  }
  const move = (step: number) => {
    setKeptId(undefined)
    place.move(step)
  }
  const show = (to: Split) => () => {
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
      setOpen(false)
      if (entry) rowOf(entry.id)?.focus()
    },
    'mail.write': writing.write,
    'mail.archive': withThread((thread) => {
      setKeptId(undefined)
      void archive(thread)
    }),
    'mail.later': withThread((thread) => setLaterAt(laterAnchor(thread.id))),
    'mail.back':
      split === 'later' || split === 'waiting'
        ? withThread((thread) => void bringBack(thread))
        : undefined,
    'mail.read': withThread((thread) => {
      setKeptId(undefined)
      void mark(thread, thread.unread_count > 0)
    }),
    'mail.trash': withThread((thread) => {
      setKeptId(undefined)
      void trash(thread)
    }),
    'mail.toAnswer': show('reply'),
    'mail.newOnes': show('unread'),
    'mail.others': show('other'),
    'mail.waiting': show('waiting'),
    'mail.putOff': show('later'),
  })
  return open
}

const rowOf = (id: string) => document.querySelector<HTMLElement>(`[data-entry="${id}"]`)

const laterAnchor = (id: string): Element =>
  document.querySelector('[data-tool="mail.later"]') ?? rowOf(id) ?? document.body
