import { useCommands, type CommandRuns } from '../../../keys/commands.ts'
import { useNavigate } from '@tanstack/react-router'
import { useMe } from '../../../session/session.ts'
import { openImport } from '../../imports/open.ts'
import { taskCommands } from '../commands.ts'
import { createTask } from '../create/open.ts'
import { createFromTemplate } from '../templates/open.ts'
import { taskRowOf, type TaskRow } from '../data/rows.ts'
import { openRowMenu } from '../menu/open.ts'
import type { TaskGroup } from './arrange.ts'
import { moveToGroup } from './move.ts'
import {
  pickAll,
  pickNone,
  pickTo,
  rowBy,
  selection,
  setCursor,
  targets,
  togglePicked,
} from '../../../ui/work/table/selection.ts'
import { emptyFilter, projectsMeant } from '../filter/filter.ts'
import { useView, type TaskView } from './view.ts'

interface ListKeys {
  view: TaskView
  peek: string | undefined
  setPeek: (key: string | undefined) => void
  open: (row: TaskRow) => void
  groups: readonly TaskGroup[]
  /** Keeps the order of the rows for a while. */
  hold: () => void
  release: () => void
}

/** Keyboard commands of the task screen. */
export function useListCommands(keys: ListKeys): void {
  const me = useMe()
  const current = useView()
  const navigate = useNavigate()
  useCommands({
    ...taskCommands({
      ids: targets,
      anchor: anchorOfTargets,
      me,
      before: keys.hold,
    }),
    ...movingCommands(keys),
    ...creationCommands(keys),
    ...viewCommands(current),
    'list.open': withCursor((row) => void navigate({ to: `/tasks/${row.key}` })),
  })
}

/** Runs an action on the current row. */
const withCursor = (run: (row: TaskRow) => unknown) => () => {
  const { cursor } = selection()
  const row = cursor === undefined ? undefined : taskRowOf(cursor)
  return row ? run(row) : false
}

function movingCommands({
  view,
  peek,
  setPeek,
  open,
  groups,
  hold,
  release,
}: ListKeys): CommandRuns {
  const move = (step: number) => () => {
    const id = rowBy(step)
    if (id === undefined) return false
    hold()
    setCursor(id)
    const row = taskRowOf(id)
    if (peek !== undefined && row) setPeek(row.key)
    return true
  }
  const toGroup = (step: number) => () => {
    const ids = targets()
    const at = groups.findIndex((group) => group.ids.includes(ids[0] ?? ''))
    const group = groups[at + step]
    if (at === -1 || !group) return false
    release()
    return void moveToGroup(ids, group, view)
  }
  return {
    'list.next': move(1),
    'list.previous': move(-1),
    'list.peek': withCursor((row) => (peek === row.key ? setPeek(undefined) : open(row))),
    'list.pick': withCursor((row) => togglePicked(row.id)),
    'list.pickDown': () => pickTo(rowBy(1)),
    'list.pickUp': () => pickTo(rowBy(-1)),
    'list.pickAll': pickAll,
    'list.menu': () => {
      const at = targets().length > 0 ? anchorOfTargets() : null
      return at ? openRowMenu(at) : false
    },
    'list.back': () => {
      if (selection().picked.size > 0) return pickNone()
      if (peek !== undefined) return setPeek(undefined)
      return false
    },
    'task.previousGroup': toGroup(-1),
    'task.nextGroup': toGroup(1),
  }
}

function creationCommands({ view, release }: ListKeys): CommandRuns {
  return {
    'task.create': () => {
      release()
      createTask({ project: projectsMeant(view.filter)[0] })
    },
    'task.fromTemplate': () => createFromTemplate({ project: projectsMeant(view.filter)[0] }),
    'task.import': () => openImport({ kind: 'tasks', project: projectsMeant(view.filter)[0] }),
    'task.createSub': withCursor((row) =>
      createTask({ project: row.project.key, parent: { id: row.id, title: row.title } }),
    ),
  }
}

function viewCommands({ view, isFiltered, change }: ReturnType<typeof useView>): CommandRuns {
  return {
    'view.list': () => change({ layout: 'list' }),
    'view.board': () => change({ layout: 'board' }),
    'view.table': () => change({ layout: 'table' }),
    'view.timeline': () => change({ layout: 'timeline' }),
    'view.calendar': () => change({ layout: 'calendar' }),
    'view.closed': () => change({ closed: !view.closed }),
    'view.filter': () => document.querySelector<HTMLElement>('[data-filter-button]')?.click(),
    'view.clear': isFiltered ? () => change({ filter: emptyFilter }) : undefined,
  }
}

/** Anchor of a list for the targets: the bar of the selected rows, or the row. */
function anchorOfTargets(): Element | null {
  const { picked, cursor } = selection()
  if (picked.size > 0) return document.querySelector('[data-picked-bar]')
  const row = document.querySelector(`[data-task="${cursor}"]`)
  return row?.querySelector('[data-anchor]') ?? row
}
