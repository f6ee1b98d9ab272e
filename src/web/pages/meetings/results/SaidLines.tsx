import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import { useVirtualKeys } from '../../../ui/work/virtual/virtual-keys.ts'
import { useRangeWith } from '../../../ui/work/virtual/virtual-range.ts'
import planning from '../../planning/planning.module.css'
import { formatClock, lineId, type TranscriptLine } from './proof.ts'
import styles from './results.module.css'

const { transcript: words } = resultTexts

const estimatedLineHeightPx = 32

interface TranscriptLinesProps {
  lines: readonly TranscriptLine[]
  /** The line number in the address. */
  target: number | undefined
  /** Records a result for the focused line. */
  decide: () => void
  act: () => void
}

/** Lines of a transcript, rendering only visible ones. `j` and `k` move through them. */
export function TranscriptLines({ lines, target, decide, act }: TranscriptLinesProps) {
  const scroller = useRef<HTMLElement>(null)
  const [tabStopId, setStop] = useState<string>()
  const ids = useMemo(() => lines.map(({ n }) => String(n)), [lines])
  const stopIndex = Math.max(0, tabStopId === undefined ? 0 : ids.indexOf(tabStopId))
  const rows = useLineRows(ids, scroller, stopIndex)
  const scrollToLine = (index: number) => {
    scroller.current?.scrollIntoView({ block: 'nearest' })
    rows.scrollToIndex(index)
  }
  const elementOf = (id: string) => document.getElementById(lineId(Number(id)))
  const { stopAt, goTo, move } = useVirtualKeys({
    ids,
    elementOf,
    setTabStop: setStop,
    scrollTo: scrollToLine,
  })
  useCommands({ 'list.next': () => move(1), 'list.previous': () => move(-1) })
  const focusLine = (n: number) => goTo(ids.indexOf(String(n)))
  const latest = useRef({ lead: focusLine, stopAt })
  useEffect(() => {
    latest.current = { lead: focusLine, stopAt }
  })
  const handleFocus = useCallback((n: number) => latest.current.stopAt(String(n)), [])
  useEffect(() => {
    if (target !== undefined) latest.current.lead(target) // once per address, not when a search moves the line
  }, [target])
  return (
    <section ref={scroller} className={styles.said} aria-label={words.lines}>
      <ol className={styles.lines} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index]
          return (
            line && (
              <Line
                key={line.n}
                line={line}
                index={index}
                count={lines.length}
                start={start}
                measure={rows.measureElement}
                isMarked={line.n === target}
                isActive={String(line.n) === tabStopId}
                isTabStop={index === stopIndex}
                enter={handleFocus}
                decide={decide}
                act={act}
              />
            )
          )
        })}
      </ol>
      {lines.length === 0 && <p className={planning.quiet}>{words.notFound}</p>}
    </section>
  )
}

/** The visible lines, and always the focused one. */
function useLineRows(
  ids: readonly string[],
  scroller: RefObject<HTMLElement | null>,
  stopIndex: number,
) {
  return useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedLineHeightPx,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    rangeExtractor: useRangeWith(stopIndex),
    overscan: 8,
  })
}

interface LineProps {
  line: TranscriptLine
  index: number
  count: number
  /** Distance from the top of the list, in pixels. */
  start: number
  measure: (element: HTMLElement | null) => void
  isMarked: boolean
  isActive: boolean
  isTabStop: boolean
  enter: (n: number) => void
  decide: () => void
  act: () => void
}

const Line = memo(function Line(props: LineProps) {
  const { line, index, count, start, measure, isMarked, isActive, isTabStop, enter } = props
  const { n, at_second: at, speaker, text } = line
  return (
    <li
      ref={measure}
      id={lineId(n)}
      data-line={n}
      data-index={index}
      data-marked={isMarked || undefined}
      aria-posinset={index + 1}
      aria-setsize={count}
      tabIndex={isTabStop ? 0 : -1}
      className={styles.line}
      style={{ transform: `translateY(${start}px)` }}
      onFocus={() => enter(n)}
    >
      <span>
        {at !== undefined && <span className={styles.clock}>{formatClock(at)}</span>}
        <strong dir="auto">{speaker}:</strong> <span dir="auto">{text}</span>
      </span>
      {isActive && (
        <span className={styles.lineActions}>
          <button type="button" className={planning.button} onClick={props.decide}>
            {words.decide}
          </button>
          <button type="button" className={planning.button} onClick={props.act}>
            {words.act}
          </button>
        </span>
      )}
    </li>
  )
})
