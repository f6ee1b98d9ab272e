import { t } from '../../../texts/index.ts'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import { useView } from '../list/view.ts'
import { sortOf, type ColumnActions } from './actions.ts'
import type { ColumnId } from './columns.ts'
import { columnLabel } from './labels.ts'

/** Anchor of a menu, and its column; without a column, it lists all columns. */
export interface OpenMenu {
  id: ColumnId | undefined
  anchor: Element
}

interface ColumnMenuProps {
  menu: OpenMenu
  visibleColumns: readonly ColumnId[]
  allColumns: readonly ColumnId[]
  actions: ColumnActions
  open: (menu: OpenMenu | undefined) => void
}

export function ColumnMenu(props: ColumnMenuProps) {
  const { id } = props.menu
  return id === undefined ? <AllColumns {...props} /> : <OneColumn {...props} id={id} />
}

function OneColumn({ menu, id, actions, open }: ColumnMenuProps & { id: ColumnId }) {
  const { change } = useView()
  const names = t.keys.commands
  const sort = sortOf[id]
  const choices = [
    ...(sort === undefined ? [] : [{ label: t.tasks.table.sort, value: () => change({ sort }) }]),
    { label: names['table.wider'], value: () => actions.widen(id, 1) },
    { label: names['table.narrower'], value: () => actions.widen(id, -1) },
    { label: names['table.moveLeft'], value: () => actions.move(id, -1) },
    { label: names['table.moveRight'], value: () => actions.move(id, 1) },
    { label: names['table.pin'], value: () => actions.pin(id) },
    { label: names['table.hide'], value: () => actions.toggle(id) },
    {
      label: names['table.columns'],
      // after this menu has returned the focus
      value: () => void setTimeout(() => open({ id: undefined, anchor: menu.anchor })),
    },
  ]
  return (
    <Picker
      anchor={menu.anchor}
      close={() => open(undefined)}
      label={t.tasks.table.columnMenu(columnLabel(id))}
      choices={(query) => filterChoices(choices, query)}
      choose={(run) => run()}
    />
  )
}

function AllColumns({ menu, visibleColumns, allColumns, actions, open }: ColumnMenuProps) {
  const choices = allColumns.map((id) => ({
    value: id,
    label: columnLabel(id),
    isChosen: visibleColumns.includes(id),
  }))
  return (
    <Picker
      anchor={menu.anchor}
      close={() => open(undefined)}
      label={t.tasks.table.columns}
      choices={(query) => filterChoices(choices, query)}
      choose={actions.toggle}
      isMultiple
    />
  )
}
