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
import { EmptyState, Loading, Problem } from '../../ui/states.tsx'
import { Ago } from '../../ui/times.tsx'
import { GridCell, GridRoot, GridRow } from '../../ui/work/grid.ts'
import { Face } from '../../ui/work/Who.tsx'
import { useFollow } from '../inbox/InboxList.tsx'
import frame from '../inbox/inbox.module.css'
import { describeMoment } from '../inbox/moments.ts'
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
  if (threads.length === 0) return <EmptySplit split={split} />
  return (
    <>
      <Rows threads={threads} {...list} />
      {picked.threads.length > 0 ? <PickedBar picked={picked} split={split} /> : <Hints />}
    </>
  )
}

function EmptySplit({ split }: { split: Split }) {
  const accounts = useOperation('list_email_accounts', {}, { staleTime: 60_000 })
  if (accounts.isPending) return <Loading />
  if (accounts.data?.items.length === 0)
    return (
      <EmptyState
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
    <EmptyState
      icon={emptyIcons[split]}
      title={t.mailbox.empty[split].title}
      text={t.mailbox.empty[split].text}
    />
  )
}

const rowHeightPx = 54
/** Maximum labels shown in a row. */
const maxLabels = 2

function Rows({
  threads,
  split,
  index,
  picked,
  go,
  open,
}: Omit<MailListProps, 'mail'> & RowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: threads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: useCallback((n: number) => threads[n]?.id ?? n, [threads]),
    overscan: 8,
  })
  const currentId = threads[index]?.id
  useFollow(currentId, index, (n) => rows.scrollToIndex(n, { align: 'auto' }))
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
                isCurrent={thread.id === currentId}
                isPicked={picked.isPicked(thread.id)}
                go={go}
                onClick={(event) => handleClick(event, thread, { picked, open })}
                togglePick={() => picked.toggle(thread.id)}
              />
            </div>
          )
        })}
      </GridRoot>
    </div>
  )
}

/** A click opens a conversation; with Ctrl it toggles its selection, with Shift it selects a range. */
function handleClick(
  event: MouseEvent,
  thread: ThreadRow,
  { picked, open }: Pick<MailListProps, 'picked' | 'open'>,
): void {
  if (event.shiftKey) picked.pickTo(thread.id)
  else if (event.ctrlKey || event.metaKey) picked.toggle(thread.id)
  else open(thread)
}

interface RowsProps {
  threads: readonly ThreadRow[]
}

interface ThreadLineProps {
  thread: ThreadRow
  split: Split
  rowIndex: number
  isCurrent: boolean
  isPicked: boolean
  go: (id: string) => void
  onClick: (event: MouseEvent) => void
  togglePick: () => void
}

const ThreadLine = memo(function ThreadLine(props: ThreadLineProps) {
  const { thread, split, rowIndex, isCurrent, isPicked, go, onClick, togglePick } = props
  const isUnread = thread.unread_count > 0
  const name = correspondentName(thread, split)
  return (
    <GridRow
      aria-rowindex={rowIndex}
      aria-selected={isCurrent || isPicked}
      data-picked={isPicked || undefined}
      data-entry={thread.id}
      data-unread={isUnread || undefined}
      tabIndex={isCurrent ? 0 : -1}
      className={frame.row}
      onFocus={() => go(thread.id)}
      onClick={onClick}
    >
      <GridCell
        className={frame.face}
        onClick={(event) => {
          event.stopPropagation()
          togglePick()
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
          <LabelChips labels={thread.labels} maxShown={maxLabels} />
        </span>
        <span className={frame.reason} dir="auto">
          <span className={styles.subject}>{subjectOf(thread)}</span>
          {thread.snippet !== undefined && ` ${thread.snippet}`}
        </span>
      </GridCell>
      <GridCell className={frame.facts}>
        <span className={frame.when}>
          <ThreadTime thread={thread} split={split} />
        </span>
      </GridCell>
    </GridRow>
  )
})

/** When a conversation returns, since when a reply is due, or when its last message arrived. */
function ThreadTime({ thread, split }: { thread: ThreadRow; split: Split }) {
  const { last_message_at, waiting_since, snoozed_until } = thread
  if (split === 'later')
    return snoozed_until === undefined
      ? t.mailbox.untilReply
      : describeMoment(new Date(snoozed_until))
  return <Ago time={split === 'waiting' ? (waiting_since ?? last_message_at) : last_message_at} />
}

const hintCommands = ['mail.archive', 'mail.later', 'mail.read', 'app.undo'] as const

/** The most important keys, for beginners. */
function Hints() {
  return (
    <footer className={frame.hints}>
      {hintCommands.map((command) => (
        <span key={command}>
          <KeyCombo command={command} /> {t.mailbox.hints[command]}
        </span>
      ))}
    </footer>
  )
}
