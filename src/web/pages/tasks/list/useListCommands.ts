import { useCommands, type CommandHandlers } from '../../../keys/commands.ts'
import { useNavigate } from '@tanstack/react-router'
import { useMe } from '../../../session/session.ts'
import { openImport } from '../../imports/open.ts'
import { taskCommands } from '../commands.ts'
import { openTaskForm } from '../create/open.ts'
import { openTemplateDialog } from '../templates/open.ts'
import { taskRowOf, type TaskRow } from '../data/rows.ts'
import { openRowMenu } from '../menu/open.ts'
import type { TaskGroup } from './arrange.ts'
import { moveToGroup } from './move.ts'
import {
  pickAll,
  pickNone,
  pickRangeTo,
  rowAtOffset,
  selection,
  setCursor,
  targetIds,
  togglePicked,
} from '../../../ui/work/table/selection.ts'
import { emptyFilter, includedProjects } from '../filter/filter.ts'
import { useView, type TaskView } from './view.ts'

interface ListCommandOptions {
  view: TaskView
  peek: string | undefined
  setPeek: (key: string | undefined) => void
  open: (row: TaskRow) => void
  groups: readonly TaskGroup[]
  /** Keeps the order of the rows for a while. */
  holdOrder: () => void
  releaseOrder: () => void
}

/** Keyboard commands of the task screen. */
export function useListCommands(options: ListCommandOptions): void {
  const me = useMe()
  const viewState = useView()
  const navigate = useNavigate()
  useCommands({
    ...taskCommands({
      ids: targetIds,
      anchor: anchorOfTargets,
      me,
      onBeforeRun: options.holdOrder,
    }),
    ...movingCommands(options),
    ...creationCommands(options),
    ...viewCommands(viewState),
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
  holdOrder,
  releaseOrder,
}: ListCommandOptions): CommandHandlers {
  const move = (step: number) => () => {
    const id = rowAtOffset(step)
    if (id === undefined) return false
    holdOrder()
    setCursor(id)
    const row = taskRowOf(id)
    if (peek !== undefined && row) setPeek(row.key)
    return true
  }
  const moveByGroups = (step: number) => () => {
    const ids = targetIds()
    const groupIndex = groups.findIndex((group) => group.ids.includes(ids[0] ?? ''))
    const group = groups[groupIndex + step]
    if (groupIndex === -1 || !group) return false
    releaseOrder()
    return void moveToGroup(ids, group, view)
  }
  return {
    'list.next': move(1),
    'list.previous': move(-1),
    'list.peek': withCursor((row) => (peek === row.key ? setPeek(undefined) : open(row))),
    'list.pick': withCursor((row) => togglePicked(row.id)),
    'list.pickDown': () => pickRangeTo(rowAtOffset(1)),
    'list.pickUp': () => pickRangeTo(rowAtOffset(-1)),
    'list.pickAll': pickAll,
    'list.menu': () => {
      const anchor = targetIds().length > 0 ? anchorOfTargets() : null
      return anchor ? openRowMenu(anchor) : false
    },
    'list.back': () => {
      if (selection().pickedIds.size > 0) return pickNone()
      if (peek !== undefined) return setPeek(undefined)
      return false
    },
    'task.previousGroup': moveByGroups(-1),
    'task.nextGroup': moveByGroups(1),
  }
}

function creationCommands({ view, releaseOrder }: ListCommandOptions): CommandHandlers {
  return {
    'task.create': () => {
      releaseOrder()
      openTaskForm({ project: includedProjects(view.filter)[0] })
    },
    'task.fromTemplate': () => openTemplateDialog({ project: includedProjects(view.filter)[0] }),
    'task.import': () => openImport({ kind: 'tasks', project: includedProjects(view.filter)[0] }),
    'task.createSub': withCursor((row) =>
      openTaskForm({ project: row.project.key, parent: { id: row.id, title: row.title } }),
    ),
  }
}

function viewCommands({ view, isFiltered, change }: ReturnType<typeof useView>): CommandHandlers {
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
  const { pickedIds, cursor } = selection()
  if (pickedIds.size > 0) return document.querySelector('[data-picked-bar]')
  const row = document.querySelector(`[data-task="${cursor}"]`)
  return row?.querySelector('[data-anchor]') ?? row
}
