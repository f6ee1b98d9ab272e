import { Button, Text } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { activityTexts as t } from '../texts.ts'
import { Problem } from '../../../ui/states.tsx'
import styles from '../activity.module.css'
import { CallRow } from './CallRow.tsx'
import type { ApiCall } from './calls.ts'
import { dayOf, dayName } from '../days.ts'
import { UndoDialog } from './UndoDialog.tsx'
import { useCallKeys } from './useCallKeys.ts'
import type { useCallLog } from './useCallLog.ts'

type CallLog = ReturnType<typeof useCallLog>

const estimatedRowHeightPx = 64
/** Number of rows before the end at which the next page is requested. */
const prefetchRows = 40

/** The calls under day headings; only visible rows are rendered. */
export function CallList({
  log,
  openId,
  withPeople,
}: {
  log: CallLog
  openId: string | undefined
  withPeople: boolean
}) {
  const { calls, hasNextPage, isFetchingNextPage, fetchNextPage, error } = log
  const [callToUndo, setCallToUndo] = useState<ApiCall>()
  const { list, rows, scrollMargin, seen: visibleRows } = useVisibleRows(log)
  const currentId = useCallKeys({
    calls,
    openId,
    scrollToIndex: (index) => rows.scrollToIndex(index, { align: 'auto' }),
    undo: setCallToUndo,
  })
  return (
    <>
      <div
        ref={list}
        className={styles.list}
        style={{ height: rows.getTotalSize() }}
        role="feed"
        aria-label={t.activity.list}
        aria-busy={isFetchingNextPage}
      >
        {visibleRows.map(({ key, index, start }) => {
          const call = calls[index]!
          const isFirstOfDay = index === 0 || dayOf(calls[index - 1]!.at) !== dayOf(call.at)
          return (
            <article
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className={styles.entry}
              style={{ transform: `translateY(${start - scrollMargin}px)` }}
              aria-posinset={index + 1}
              aria-setsize={hasNextPage ? -1 : calls.length}
            >
              {isFirstOfDay && <h2 className={styles.day}>{dayName(call.at)}</h2>}
              <CallRow
                call={call}
                isCurrent={call.id === currentId}
                withPeople={withPeople}
                undo={setCallToUndo}
              />
            </article>
          )
        })}
      </div>
      <Text size="xs" c="dimmed" p="sm" role="status">
        {isFetchingNextPage && t.activity.searching}
        {!isFetchingNextPage && !hasNextPage && t.activity.end(calls.length)}
      </Text>
      {error && <Problem error={error} retry={() => void fetchNextPage()} />}
      {hasNextPage && calls.length === 0 && !isFetchingNextPage && (
        <Button variant="default" onClick={() => void fetchNextPage()}>
          {t.app.more}
        </Button>
      )}
      <UndoDialog call={callToUndo} close={() => setCallToUndo(undefined)} />
    </>
  )
}

/** Visible rows; loads the next page near their end. */
function useVisibleRows({ calls, hasNextPage, isFetchingNextPage, fetchNextPage, error }: CallLog) {
  const list = useRef<HTMLDivElement>(null)
  const [scrollMargin, setMargin] = useState(0)
  useLayoutEffect(() => {
    if (list.current)
      setMargin(Math.round(list.current.getBoundingClientRect().top + window.scrollY)) // content above may have grown
  })
  const rows = useWindowVirtualizer({
    count: calls.length,
    estimateSize: () => estimatedRowHeightPx,
    overscan: 6,
    scrollMargin,
    getItemKey: useCallback((index: number) => calls[index]!.id, [calls]),
  })
  const visibleRows = rows.getVirtualItems()
  const lastIndex = visibleRows.at(-1)?.index ?? 0
  const shouldFetchMore =
    hasNextPage && !isFetchingNextPage && !error && lastIndex >= calls.length - prefetchRows
  useEffect(() => {
    if (shouldFetchMore) void fetchNextPage()
  }, [shouldFetchMore, fetchNextPage])
  return { list, rows, scrollMargin, seen: visibleRows }
}
