import { useEffect } from 'react'
import { useRow } from '../../../store/index.ts'
import { pipelineTexts as words } from '../../../texts/en/company/deals.ts'
import { useNavigate } from '@tanstack/react-router'
import { dayOf, relativeDay } from '../../../ui/work/days.ts'
import { BoardColumn, BoardFrame } from '../../../ui/work/board/Board.tsx'
import board from '../../../ui/work/board/board.module.css'
import { setCursor, setOrder, useIsCursor, useIsTabStop } from '../../../ui/work/table/selection.ts'
import { Face } from '../../../ui/work/Who.tsx'
import { formatMoney, formatSums } from '../money.ts'
import { stageOf, type DealColumn } from './columns.ts'
import styles from './deals.module.css'

interface DealBoardProps {
  columns: readonly DealColumn[]
  moveToColumn: (id: string, column: DealColumn) => void
  create: (column: DealColumn) => void
}

const dragType = 'text/x-workspace-deal'
const renderCard = (id: string) => <DealCard id={id} />
const findCard = (id: string) =>
  document.querySelector<HTMLElement>(`[data-deal="${CSS.escape(id)}"]`)

/** Deals in columns by stage, with the value of each stage. */
export function DealBoard({ columns, moveToColumn, create }: DealBoardProps) {
  useEffect(() => setOrder(columns.flatMap(({ ids }) => ids)), [columns])
  useEffect(() => () => setCursor(undefined), [])
  return (
    <BoardFrame>
      {columns.map((column) => {
        const name = column.kind === 'stage' ? stageOf(column) : words.states[column.kind]
        return (
          <BoardColumn
            key={column.key}
            ids={column.ids}
            name={name}
            note={<ColumnNote column={column} name={name} />}
            dragType={dragType}
            onDropCard={(id) => moveToColumn(id, column)}
            {...(column.kind === 'stage' && {
              add: { label: words.createIn(name), run: () => create(column) },
            })}
            renderCard={renderCard}
            findCard={findCard}
          />
        )
      })}
    </BoardFrame>
  )
}

function ColumnNote({ column, name }: { column: DealColumn; name: string }) {
  const value = formatSums(column.value)
  return (
    <p
      className={styles.sum}
      data-sum={name}
      aria-label={words.sum(name, column.ids.length, value)}
      role="note"
    >
      {value === '' ? '–' : value}
      {column.kind !== 'stage' && <span>{words.lately}</span>}
    </p>
  )
}

const staleAfterDays = 30

function DealCard({ id }: { id: string }) {
  const deal = useRow('deal', id)
  const navigate = useNavigate()
  const isCursor = useIsCursor(id)
  const isTabStop = useIsTabStop(id)
  if (!deal) return null
  const closeDay = deal.expected_close_on
  const isLate = deal.status === 'open' && closeDay !== undefined && closeDay < dayOf()
  return (
    <button
      type="button"
      className={board.card}
      data-deal={id}
      data-cursor={isCursor || undefined}
      tabIndex={isTabStop ? 0 : -1}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData(dragType, id)
        event.dataTransfer.effectAllowed = 'move'
        setCursor(id)
      }}
      onFocus={() => setCursor(id)}
      onClick={() => void navigate({ to: `/deals/${id}` })}
    >
      <span className={board.about}>
        <span className={board.key} dir="auto">
          {deal.company?.title}
        </span>
        <Face id={deal.owner.id} name={deal.owner.title} size={18} label={deal.owner.title} />
      </span>
      <span className={board.title} dir="auto">
        {deal.name}
      </span>
      <span className={board.facts}>
        {deal.amount !== undefined && (
          <strong className={styles.amount}>{formatMoney(deal.amount, deal.currency)}</strong>
        )}
        {closeDay !== undefined && deal.status === 'open' && (
          <time dateTime={closeDay} data-late={isLate || undefined} className={styles.close}>
            {relativeDay(closeDay)}
          </time>
        )}
        {deal.status === 'open' && deal.stale_days >= staleAfterDays && (
          <span className={styles.stale}>{words.stale(deal.stale_days)}</span>
        )}
        {deal.status === 'lost' && <span className={styles.reason}>{deal.lost_reason}</span>}
      </span>
    </button>
  )
}
