import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useRef } from 'react'
import { GridCell, GridRoot, GridRow } from '../../ui/work/grid.ts'
import { ItemIcon } from '../../ui/ItemLink.tsx'
import { Ago } from '../../ui/times.tsx'
import { Face } from '../../ui/work/Who.tsx'
import { describeTool } from '../activity/calls/calls.ts'
import type { InboxEntry, Tab } from './entries.ts'
import { describeMoment } from './moments.ts'
import styles from './inbox.module.css'
import { inboxTexts as t } from './texts.ts'

interface InboxListProps {
  entries: readonly InboxEntry[]
  tab: Tab
  index: number
  go: (id: string) => void
  open: (entry: InboxEntry) => void
}

const rowHeightPx = 54

/** Inbox items, one per row. Only visible rows are drawn. */
export function InboxList({ entries, tab, index, go, open }: InboxListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: useCallback((n: number) => entries[n]?.id ?? n, [entries]),
    overscan: 8,
  })
  const currentId = entries[index]?.id
  useFollow(currentId, index, (n) => rows.scrollToIndex(n, { align: 'auto' }))
  return (
    <div ref={scroller} className={styles.scroller}>
      <GridRoot
        aria-label={t.inbox.tabs[tab]}
        aria-rowcount={entries.length}
        className={styles.grid}
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ key, index: n, start }) => {
          const entry = entries[n]
          if (!entry) return null
          return (
            <div
              key={key}
              role="presentation"
              className={styles.line}
              style={{ transform: `translateY(${start}px)` }}
            >
              <InboxRow
                entry={entry}
                tab={tab}
                rowIndex={n + 1}
                isCurrent={entry.id === currentId}
                go={go}
                open={open}
              />
            </div>
          )
        })}
      </GridRoot>
    </div>
  )
}

/** Keeps the current row visible and focused, unless a text field has the focus. */
export function useFollow(
  id: string | undefined,
  index: number,
  scrollToIndex: (index: number) => void,
): void {
  const latest = useRef(scrollToIndex)
  useEffect(() => {
    latest.current = scrollToIndex
  })
  useEffect(() => {
    if (id === undefined) return
    latest.current(index)
    const frame = requestAnimationFrame(() => {
      const active = document.activeElement
      const isBusy = active?.closest('dialog,aside,nav') != null
      const row = document.querySelector<HTMLElement>(`[data-entry="${id}"]`)
      if (!isBusy) row?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [id, index])
}

interface InboxRowProps {
  entry: InboxEntry
  tab: Tab
  rowIndex: number
  isCurrent: boolean
  go: (id: string) => void
  open: (entry: InboxEntry) => void
}

const InboxRow = memo(function InboxRow(props: InboxRowProps) {
  const { entry, tab, rowIndex, isCurrent, go, open } = props
  const { item, notices, approval, at } = entry
  const [latest] = notices
  return (
    <GridRow
      aria-rowindex={rowIndex}
      aria-selected={isCurrent}
      data-entry={entry.id}
      tabIndex={isCurrent ? 0 : -1}
      className={styles.row}
      onFocus={() => go(entry.id)}
      onClick={() => open(entry)}
    >
      <GridCell className={styles.face}>
        <EntryFace entry={entry} />
      </GridCell>
      <GridCell className={styles.words}>
        <span className={styles.title}>
          {!approval && <ItemIcon type={item.type} size={14} />}
          {item.key && <span className={styles.key}>{item.key}</span>}
          <span className={styles.name} dir="auto">
            {approval ? describeTool(approval.tool) : item.title}
          </span>
        </span>
        <span className={styles.reason} dir="auto">
          {approval ? t.inbox.asks(approval.key?.name ?? undefined) : latest?.text}
        </span>
      </GridCell>
      <GridCell className={styles.facts}>
        <span className={styles.when}>
          {tab === 'later' && latest?.snoozed_until !== undefined ? (
            describeMoment(new Date(latest.snoozed_until))
          ) : (
            <Ago time={at} />
          )}
        </span>
        {approval ? (
          <span className={styles.waits}>{t.inbox.decide}</span>
        ) : (
          notices.length > 1 && <span className={styles.count}>{notices.length}</span>
        )}
      </GridCell>
    </GridRow>
  )
})

/** Originator of an entry: a person, the assistant whose call waits, or none. */
function EntryFace({ entry }: { entry: InboxEntry }) {
  const { approval, notices, item } = entry
  if (approval)
    return (
      <Face
        id={approval.key?.id ?? approval.id}
        name={approval.key?.name ?? t.inbox.automation}
        kind={approval.key ? 'assistant' : 'automation'}
        size={24}
      />
    )
  const actor = notices[0]?.actor
  if (actor) return <Face id={actor.id} name={actor.title} size={24} />
  return (
    <span className={styles.mark}>
      <ItemIcon type={item.type} size={15} />
    </span>
  )
}
