import { IconPlus } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { scrollToLine } from '../table/follow.ts'
import { useCursor } from '../table/selection.ts'
import styles from './board.module.css'

/** Columns of cards side by side. */
export function BoardFrame({ children }: { children: ReactNode }) {
  return <div className={styles.board}>{children}</div>
}

interface BoardColumnProps {
  ids: readonly string[]
  name: string
  /** Shown before the name. */
  mark?: ReactNode
  /** Shown below the name. */
  note?: ReactNode
  /** Data transfer type of dragged card ids. */
  dragType: string
  onDropCard: (id: string) => void
  add?: { label: string; run: () => void } | undefined
  /** Renders a card; must be a stable function. */
  renderCard: (id: string) => ReactNode
  /** The element of a card, if rendered. */
  findCard: (id: string) => HTMLElement | null
}

const cardHeight = 96

/** A board column that accepts dropped cards. Renders only visible ones. */
export function BoardColumn(props: BoardColumnProps) {
  const { ids, name, mark, note, dragType, onDropCard, add, renderCard, findCard } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  const cards = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => cardHeight,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    overscan: 2,
  })
  useScrollToCursor(ids, findCard, (index) => scrollToLine(cards, index))
  return (
    <section
      className={styles.column}
      data-over={isOver || undefined}
      aria-label={name}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event: DragEvent) => {
        setOver(false)
        const id = event.dataTransfer.getData(dragType)
        if (id !== '') onDropCard(id)
      }}
    >
      <header className={styles.head}>
        {mark}
        <h2 dir="auto">{name}</h2>
        <span className={styles.count}>{ids.length}</span>
        {add && (
          <button
            type="button"
            className={styles.add}
            aria-label={add.label}
            title={add.label}
            onClick={add.run}
          >
            <IconPlus size={15} aria-hidden />
          </button>
        )}
      </header>
      {note}
      <div ref={scroller} className={styles.scroller}>
        <ul className={styles.cards} style={{ height: cards.getTotalSize() }}>
          {cards.getVirtualItems().map(({ key, index, start }) => {
            const id = ids[index]
            return (
              id !== undefined && (
                <li
                  key={key}
                  ref={cards.measureElement}
                  data-index={index}
                  className={styles.place}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {renderCard(id)}
                </li>
              )
            )
          })}
        </ul>
      </div>
    </section>
  )
}

/** Scrolls the current card into view, and focuses it. */
function useScrollToCursor(
  ids: readonly string[],
  findCard: (id: string) => HTMLElement | null,
  scrollTo: (index: number) => void,
): void {
  const cursor = useCursor()
  const latest = useRef({ ids, find: findCard, bring: scrollTo })
  useEffect(() => {
    latest.current = { ids, find: findCard, bring: scrollTo }
  })
  useEffect(() => {
    const index = cursor === undefined ? -1 : latest.current.ids.indexOf(cursor)
    if (cursor === undefined || index === -1) return
    latest.current.bring(index)
    const frame = requestAnimationFrame(() => {
      const node = latest.current.find(cursor)
      if (document.activeElement?.closest('dialog') === null) node?.focus({ preventScroll: true })
      node?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    })
    return () => cancelAnimationFrame(frame)
  }, [cursor])
}
