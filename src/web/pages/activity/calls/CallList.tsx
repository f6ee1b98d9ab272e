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

const defaultHeight = 64
/** Number of rows before the end at which the next page is requested. */
const ahead = 40

/** The entries, of which only visible ones are rendered, with days as headings. */
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
  const [undoing, setUndoing] = useState<ApiCall>()
  const { list, rows, scrollMargin, seen } = useVisibleRows(log)
  const hereId = useCallKeys({
    calls,
    openId,
    bring: (index) => rows.scrollToIndex(index, { align: 'auto' }),
    undo: setUndoing,
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
        {seen.map(({ key, index, start }) => {
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
                isHere={call.id === hereId}
                withPeople={withPeople}
                undo={setUndoing}
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
      <UndoDialog call={undoing} close={() => setUndoing(undefined)} />
    </>
  )
}

/** Visible rows; loads the next page near their end. */
function useVisibleRows({ calls, hasNextPage, isFetchingNextPage, fetchNextPage, error }: CallLog) {
  const list = useRef<HTMLDivElement>(null)
  const [scrollMargin, setMargin] = useState(0)
  useLayoutEffect(() => {
    if (list.current)
      setMargin(Math.round(list.current.getBoundingClientRect().top + window.scrollY)) // what stands above may have grown
  })
  const rows = useWindowVirtualizer({
    count: calls.length,
    estimateSize: () => defaultHeight,
    overscan: 6,
    scrollMargin,
    getItemKey: useCallback((index: number) => calls[index]!.id, [calls]),
  })
  const seen = rows.getVirtualItems()
  const last = seen.at(-1)?.index ?? 0
  const wantsMore = hasNextPage && !isFetchingNextPage && !error && last >= calls.length - ahead
  useEffect(() => {
    if (wantsMore) void fetchNextPage()
  }, [wantsMore, fetchNextPage])
  return { list, rows, scrollMargin, seen }
}
