import { useDocumentTitle } from '@mantine/hooks'
import { IconHeartHandshake, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { useSignedIn } from '../../../session/session.ts'
import { table, useAllRowsOf, useListedRows } from '../../../store/index.ts'
import { pipelineTexts as words } from '../../../texts/en/company/deals.ts'
import { t } from '../../../texts/index.ts'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { rowAtOffset, selection, setCursor } from '../../../ui/work/table/selection.ts'
import { Choices } from '../../planning/Choices.tsx'
import { CommandButton } from '../../planning/CommandButton.tsx'
import planning from '../../planning/planning.module.css'
import { pipelineColumns, stageOf, type DealColumn } from './columns.ts'
import { moveDeal, removeDeal, useStages, winDeal, type DealRow } from './data.ts'
import { DealBoard } from './DealBoard.tsx'
import { exportDeals } from './export.ts'
import { LostDialog } from './LostDialog.tsx'
import { NewDeal } from './NewDeal.tsx'

const kinds = ['all', 'mine'] as const

/** Deals by stage, with their value; cards are moved by keyboard or by dragging. */
export function Pipeline() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const listState = useListedRows('deal', {})
  const { columns, isEmpty } = useColumns()
  const [creating, setCreating] = useState<{ stage: string | undefined }>()
  const [dealToLose, setDealToLose] = useState<DealRow>()
  const moveToColumn = (id: string, column: DealColumn) => {
    const deal = table('deal').get(id)
    if (deal) moveDealTo(deal, column, setDealToLose)
  }
  usePipelineCommands(columns, moveToColumn, () => setCreating({ stage: undefined }))
  const createButton = (
    <button
      type="button"
      className={planning.button}
      onClick={() => setCreating({ stage: undefined })}
    >
      {words.create}
    </button>
  )
  return (
    <div className={planning.screen}>
      <PipelineBar create={() => setCreating({ stage: undefined })} />
      {isEmpty ? (
        <div className={planning.padded}>
          {listState.error && <Problem error={listState.error} retry={listState.retry} />}
          {!listState.isLoaded && !listState.error && <Loading />}
          {listState.isLoaded && (
            <EmptyState icon={IconHeartHandshake} {...words.empty} action={createButton} />
          )}
        </div>
      ) : (
        <DealBoard
          columns={columns}
          moveToColumn={moveToColumn}
          create={(column) => setCreating({ stage: stageOf(column) })}
        />
      )}
      {creating && <NewDeal stage={creating.stage} close={() => setCreating(undefined)} />}
      <LostDialog deal={dealToLose} close={() => setDealToLose(undefined)} />
    </div>
  )
}

/** Changes a deal to match a column; a lost deal needs a reason first. */
function moveDealTo(deal: DealRow, column: DealColumn, lose: (deal: DealRow) => void): void {
  if (column.kind === 'lost') return lose(deal)
  if (column.kind === 'won') void winDeal(deal)
  else void moveDeal(deal, stageOf(column))
}

function useColumns() {
  const { person } = useSignedIn()
  const { show } = useSearch({ strict: false }) as { show?: string }
  const isShown = useCallback(
    (deal: DealRow) => show !== 'mine' || deal.owner.id === person.id,
    [show, person.id],
  )
  const rows = useAllRowsOf('deal', isShown)
  const stages = useStages()
  const columns = useMemo(() => pipelineColumns(rows, stages, Date.now()), [rows, stages])
  return { columns, isEmpty: rows.length === 0 }
}

function PipelineBar({ create }: { create: () => void }) {
  const navigate = useNavigate()
  const { person } = useSignedIn()
  const { show } = useSearch({ strict: false }) as { show?: string }
  useCommands({
    'deal.export': () => void exportDeals(show === 'mine' ? person.id : undefined),
  })
  return (
    <header className={planning.bar}>
      <h1>{words.title}</h1>
      <Choices
        label={words.shown}
        choices={kinds}
        selected={show === 'mine' ? 'mine' : 'all'}
        choose={(kind) =>
          void navigate({ to: '/deals', search: kind === 'mine' ? { show: 'mine' } : {} })
        }
        names={words.kinds}
      />
      <span className={planning.spring} />
      <CommandButton command="deal.export" isOptional />
      <button type="button" className={planning.primary} onClick={create}>
        <IconPlus size={15} stroke={2} aria-hidden />
        {words.create}
      </button>
    </header>
  )
}

/** Keyboard commands of the pipeline. */
function usePipelineCommands(
  columns: readonly DealColumn[],
  moveToColumn: (id: string, column: DealColumn) => void,
  create: () => void,
): void {
  const navigate = useNavigate()
  const currentDeal = () => {
    const { cursor } = selection()
    return cursor === undefined ? undefined : table('deal').get(cursor)
  }
  const withDeal = (run: (deal: DealRow) => unknown) => () => {
    const deal = currentDeal()
    return deal ? run(deal) : false
  }
  const move = (step: number) => () => {
    const id = rowAtOffset(step)
    return id === undefined ? false : setCursor(id)
  }
  const moveByColumns = (step: number) =>
    withDeal(({ id }) => {
      const index = columns.findIndex(({ ids }) => ids.includes(id))
      const column = columns[index + step]
      return index === -1 || !column ? false : moveToColumn(id, column)
    })
  const toColumn = (kind: DealColumn['kind']) =>
    withDeal(({ id }) => {
      const column = columns.find((other) => other.kind === kind)
      return column ? moveToColumn(id, column) : false
    })
  useCommands({
    'list.next': move(1),
    'list.previous': move(-1),
    'list.open': withDeal(({ id }) => void navigate({ to: `/deals/${id}` })),
    'task.previousGroup': moveByColumns(-1),
    'task.nextGroup': moveByColumns(1),
    'deal.create': create,
    'deal.win': toColumn('won'),
    'deal.lose': toColumn('lost'),
    'deal.delete': withDeal((deal) => void removeDeal(deal)),
  })
}
