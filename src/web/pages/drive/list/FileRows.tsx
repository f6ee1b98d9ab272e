import { useElementSize } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { useList } from '../../../api/queries.ts'
import { useRangeWith } from '../../../ui/work/virtual/virtual-range.ts'
import type { DriveFile } from '../data.ts'
import styles from '../drive.module.css'
import { FileActions } from '../FileActions.tsx'
import { FileEntry, type FileView } from './FileEntry.tsx'
import { useFileKeys } from './useFileKeys.ts'

type FileListing = ReturnType<typeof useList<'list_files'>>

interface FileRowsProps {
  listing: FileListing
  view: FileView
  isTrashed: boolean
}

const lineHeightPx = 36
const tileHeightPx = 148
const minTileWidthPx = 148
/** Number of files before the last visible one at which the next page is requested. */
const filesAhead = 60

/** The files of a list. Renders only visible ones, and loads pages near their end. */
export function FileRows({ listing, view, isTrashed }: FileRowsProps) {
  const { items } = listing
  const list = useRef<HTMLUListElement>(null)
  const { ref: box, width } = useElementSize()
  const columns = view === 'grid' ? Math.max(1, Math.floor(width / minTileWidthPx)) : 1
  const [tabStopId, setStop] = useState<string>()
  const rows = useFileLines({ items, view, columns, list, tabStopId })
  const scrollToItem = (index: number) => rows.scrollToIndex(Math.floor(index / columns))
  const keys = useFileKeys({ items, columns, list, setStop, bring: scrollToItem })
  const lines = rows.getVirtualItems()
  useMorePages(listing, ((lines.at(-1)?.index ?? 0) + 1) * columns)
  return (
    <div ref={box} data-view={view} className={styles.files}>
      <ul
        ref={list}
        className={styles.rows}
        style={{ height: rows.getTotalSize() }}
        onKeyDown={view === 'grid' ? keys.pressed : undefined}
      >
        {lines.flatMap(({ index: line, start }) =>
          items.slice(line * columns, (line + 1) * columns).map((file, column) => (
            <li
              key={file.id}
              ref={view === 'list' ? rows.measureElement : undefined}
              data-index={line}
              aria-posinset={line * columns + column + 1}
              aria-setsize={listing.hasNextPage ? -1 : items.length}
              className={styles.item}
              style={{
                transform: `translateY(${start - rows.options.scrollMargin}px)`,
                insetInlineStart: `${(column / columns) * 100}%`,
                width: `${100 / columns}%`,
              }}
              onFocus={() => keys.stopAt(file.id)}
            >
              <FileEntry file={file} view={view} />
              <FileActions file={file} isTrashed={isTrashed} />
            </li>
          )),
        )}
      </ul>
    </div>
  )
}

interface FileLines {
  items: readonly DriveFile[]
  view: FileView
  columns: number
  list: RefObject<HTMLElement | null>
  tabStopId: string | undefined
}

/** The lines visible in the window, and always the focused one. */
function useFileLines({ items, view, columns, list, tabStopId }: FileLines) {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const newTop = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY
    if (Math.abs(newTop - top) >= 1) setTop(Math.round(newTop))
  })
  const stopLine = Math.floor(items.findIndex(({ id }) => id === tabStopId) / columns)
  return useWindowVirtualizer({
    count: Math.ceil(items.length / columns),
    estimateSize: () => (view === 'grid' ? tileHeightPx : lineHeightPx),
    getItemKey: useCallback(
      (line: number) => `${view} ${columns} ${items[line * columns]?.id ?? line}`,
      [items, view, columns],
    ),
    rangeExtractor: useRangeWith(stopLine),
    scrollMargin: top,
    scrollPaddingStart: 64, // the bar at the top
    scrollPaddingEnd: 72,
    overscan: view === 'grid' ? 2 : 8,
  })
}

/** Loads the next page when the visible files are near the end of the loaded ones. */
function useMorePages(listing: FileListing, visibleCount: number): void {
  const { items, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = listing
  const shouldFetch =
    hasNextPage && !isFetchNextPageError && visibleCount + filesAhead >= items.length
  useEffect(() => {
    if (shouldFetch && !isFetchingNextPage) void fetchNextPage()
  }, [shouldFetch, isFetchingNextPage, fetchNextPage])
}
