import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import { useVirtualKeys } from '../../../ui/work/virtual/virtual-keys.ts'
import { useRangeWith } from '../../../ui/work/virtual/virtual-range.ts'
import planning from '../../planning/planning.module.css'
import { clock, lineId, type SaidLine } from './proof.ts'
import styles from './results.module.css'

const { transcript: words } = resultTexts

const defaultHeight = 32

interface SaidLinesProps {
  lines: readonly SaidLine[]
  /** The line number in the address. */
  target: number | undefined
  /** Records a result for the focused line. */
  decide: () => void
  act: () => void
}

/** Lines of a transcript, rendering only visible ones. `j` and `k` move through them. */
export function SaidLines({ lines, target, decide, act }: SaidLinesProps) {
  const scroller = useRef<HTMLElement>(null)
  const [stop, setStop] = useState<string>()
  const ids = useMemo(() => lines.map(({ n }) => String(n)), [lines])
  const stopIndex = Math.max(0, stop === undefined ? 0 : ids.indexOf(stop))
  const rows = useLineRows(ids, scroller, stopIndex)
  const bring = (index: number) => {
    scroller.current?.scrollIntoView({ block: 'nearest' })
    rows.scrollToIndex(index)
  }
  const elementOf = (id: string) => document.getElementById(lineId(Number(id)))
  const { stopAt, goTo, move } = useVirtualKeys({ ids, elementOf, setStop, bring })
  useCommands({ 'list.next': () => move(1), 'list.previous': () => move(-1) })
  const lead = (n: number) => goTo(ids.indexOf(String(n)))
  const latest = useRef({ lead, stopAt })
  useEffect(() => {
    latest.current = { lead, stopAt }
  })
  const enter = useCallback((n: number) => latest.current.stopAt(String(n)), [])
  useEffect(() => {
    if (target !== undefined) latest.current.lead(target) // once, and not again where the search moves it
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
                isActive={String(line.n) === stop}
                isStop={index === stopIndex}
                enter={enter}
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
    estimateSize: () => defaultHeight,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    rangeExtractor: useRangeWith(stopIndex),
    overscan: 8,
  })
}

interface LineProps {
  line: SaidLine
  index: number
  count: number
  /** Distance from the top of the list, in pixels. */
  start: number
  measure: (element: HTMLElement | null) => void
  isMarked: boolean
  isActive: boolean
  isStop: boolean
  enter: (n: number) => void
  decide: () => void
  act: () => void
}

const Line = memo(function Line(props: LineProps) {
  const { line, index, count, start, measure, isMarked, isActive, isStop, enter } = props
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
      tabIndex={isStop ? 0 : -1}
      className={styles.line}
      style={{ transform: `translateY(${start}px)` }}
      onFocus={() => enter(n)}
    >
      <span>
        {at !== undefined && <span className={styles.clock}>{clock(at)}</span>}
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
