import { Button } from '@mantine/core'
import {
  IconCheck,
  IconClock,
  IconHourglass,
  IconInbox,
  IconMailOpened,
  IconMoodSmile,
  type Icon,
} from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useRef, type MouseEvent } from 'react'
import { useOperation } from '../../api/queries.ts'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { RouterLink } from '../../ui/AppLink.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import { Ago } from '../../ui/times.tsx'
import { GridCell, GridRoot, GridRow } from '../../ui/work/grid.ts'
import { Face } from '../../ui/work/Who.tsx'
import { useFollow } from '../inbox/InboxList.tsx'
import frame from '../inbox/inbox.module.css'
import { momentWords } from '../inbox/moments.ts'
import { subjectOf } from './actions.ts'
import { correspondentName } from './correspondents.ts'
import { LabelChips } from './labels/LabelChips.tsx'
import styles from './mail.module.css'
import { PickedBar } from './picked/PickedBar.tsx'
import marks from './picked/picked.module.css'
import type { PickedThreads } from './picked/usePickedThreads.ts'
import type { Split, ThreadRow } from './splits.ts'
import { mailTexts as t } from './texts.ts'
import type { LoadedThreads } from './useThreads.ts'

interface MailListProps {
  mail: LoadedThreads
  split: Split
  index: number
  picked: PickedThreads
  go: (id: string) => void
  open: (thread: ThreadRow) => void
}

const emptyIcons: Readonly<Record<Split, Icon>> = {
  reply: IconMoodSmile,
  unread: IconMailOpened,
  other: IconInbox,
  waiting: IconHourglass,
  later: IconClock,
}

/** The conversations of a split, or why there are none. */
export function MailList({ mail, ...list }: MailListProps) {
  const { split, picked } = list
  const { threads, isLoaded, error, retry } = mail
  if (threads.length === 0 && error) return <Problem error={error} retry={retry} />
  if (threads.length === 0 && !isLoaded) return <Loading />
  if (threads.length === 0) return <Nothing split={split} />
  return (
    <>
      <Rows threads={threads} {...list} />
      {picked.threads.length > 0 ? <PickedBar picked={picked} split={split} /> : <Hints />}
    </>
  )
}

function Nothing({ split }: { split: Split }) {
  const accounts = useOperation('list_email_accounts', {}, { staleTime: 60_000 })
  if (accounts.isPending) return <Loading />
  if (accounts.data?.items.length === 0)
    return (
      <Empty
        icon={IconInbox}
        title={t.mailbox.noAccount.title}
        text={t.mailbox.noAccount.text}
        action={
          <Button component={RouterLink} to="/settings/accounts/add">
            {t.mailbox.settings}
          </Button>
        }
      />
    )
  return (
    <Empty
      icon={emptyIcons[split]}
      title={t.mailbox.empty[split].title}
      text={t.mailbox.empty[split].text}
    />
  )
}

const rowHeight = 54
/** Maximum labels shown in a row. */
const shownLabels = 2

function Rows({ threads, split, index, picked, go, open }: Omit<MailListProps, 'mail'> & RowsOf) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: threads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: useCallback((n: number) => threads[n]?.id ?? n, [threads]),
    overscan: 8,
  })
  const here = threads[index]?.id
  useFollow(here, index, (n) => rows.scrollToIndex(n, { align: 'auto' }))
  return (
    <div ref={scroller} className={frame.scroller}>
      <GridRoot
        aria-label={t.mailbox.splits[split]}
        aria-rowcount={threads.length}
        aria-multiselectable
        className={frame.grid}
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ key, index: n, start }) => {
          const thread = threads[n]
          if (!thread) return null
          return (
            <div
              key={key}
              role="presentation"
              className={frame.line}
              style={{ transform: `translateY(${start}px)` }}
            >
              <ThreadLine
                thread={thread}
                split={split}
                rowIndex={n + 1}
                isHere={thread.id === here}
                isPicked={picked.isPicked(thread.id)}
                go={go}
                press={(event) => press(event, thread, { picked, open })}
                pick={() => picked.toggle(thread.id)}
              />
            </div>
          )
        })}
      </GridRoot>
    </div>
  )
}

/** A click opens a conversation; with Ctrl it toggles its selection, with Shift it selects a range. */
function press(
  event: MouseEvent,
  thread: ThreadRow,
  { picked, open }: Pick<MailListProps, 'picked' | 'open'>,
): void {
  if (event.shiftKey) picked.pickTo(thread.id)
  else if (event.ctrlKey || event.metaKey) picked.toggle(thread.id)
  else open(thread)
}

interface RowsOf {
  threads: readonly ThreadRow[]
}

interface ThreadLineProps {
  thread: ThreadRow
  split: Split
  rowIndex: number
  isHere: boolean
  isPicked: boolean
  go: (id: string) => void
  press: (event: MouseEvent) => void
  pick: () => void
}

const ThreadLine = memo(function ThreadLine(props: ThreadLineProps) {
  const { thread, split, rowIndex, isHere, isPicked, go, press, pick } = props
  const isUnread = thread.unread_count > 0
  const name = correspondentName(thread, split)
  return (
    <GridRow
      aria-rowindex={rowIndex}
      aria-selected={isHere || isPicked}
      data-picked={isPicked || undefined}
      data-entry={thread.id}
      data-unread={isUnread || undefined}
      tabIndex={isHere ? 0 : -1}
      className={frame.row}
      onFocus={() => go(thread.id)}
      onClick={press}
    >
      <GridCell
        className={frame.face}
        onClick={(event) => {
          event.stopPropagation()
          pick()
        }}
      >
        {isPicked ? (
          <span className={marks.mark} role="img" aria-label={t.handling.picked.here}>
            <IconCheck size={15} stroke={2.4} aria-hidden />
          </span>
        ) : (
          <Face id={name} name={name} size={24} />
        )}
        {isUnread && <span className={styles.dot} role="img" aria-label={t.mailbox.unread} />}
      </GridCell>
      <GridCell className={frame.words}>
        <span className={frame.title}>
          <span className={frame.name} dir="auto">
            {name}
          </span>
          {thread.message_count > 1 && <span className={frame.key}>{thread.message_count}</span>}
          {thread.drafts.length > 0 && (
            <span className={styles.draftMark}>{t.mailbox.hasDraft}</span>
          )}
          <LabelChips labels={thread.labels} most={shownLabels} />
        </span>
        <span className={frame.reason} dir="auto">
          <span className={styles.subject}>{subjectOf(thread)}</span>
          {thread.snippet !== undefined && ` ${thread.snippet}`}
        </span>
      </GridCell>
      <GridCell className={frame.facts}>
        <span className={frame.when}>
          <When thread={thread} split={split} />
        </span>
      </GridCell>
    </GridRow>
  )
})

/** When it returns, since when a reply is due, or when its last message arrived. */
function When({ thread, split }: { thread: ThreadRow; split: Split }) {
  const { last_message_at, waiting_since, snoozed_until } = thread
  if (split === 'later')
    return snoozed_until === undefined ? t.mailbox.untilReply : momentWords(new Date(snoozed_until))
  return <Ago at={split === 'waiting' ? (waiting_since ?? last_message_at) : last_message_at} />
}

const hinted = ['mail.archive', 'mail.later', 'mail.read', 'app.undo'] as const

/** The most important keys, for beginners. */
function Hints() {
  return (
    <footer className={frame.hints}>
      {hinted.map((command) => (
        <span key={command}>
          <KeyCombo command={command} /> {t.mailbox.hints[command]}
        </span>
      ))}
    </footer>
  )
}
