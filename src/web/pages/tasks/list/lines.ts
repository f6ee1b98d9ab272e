import { useEffect, useMemo, useState } from 'react'
import type { TaskGroup } from './arrange.ts'
import { setOrder } from '../../../ui/work/table/selection.ts'

/** A line of a task list: a group header or a task. */
export type ListLine = { group: TaskGroup; isClosed: boolean } | { id: string }

/** The lines of collapsible groups. Keys move through the tasks among them. */
export function useLines(groups: readonly TaskGroup[], withHeads: boolean) {
  const [closedKeys, setClosedKeys] = useState<ReadonlySet<string>>(new Set())
  const lines = useMemo(
    () => listLinesOf(groups, withHeads, closedKeys),
    [groups, withHeads, closedKeys],
  )
  useEffect(() => setOrder(lines.flatMap((line) => ('id' in line ? [line.id] : []))), [lines])
  const toggle = (key: string) => {
    const newClosedKeys = new Set(closedKeys)
    if (!newClosedKeys.delete(key)) newClosedKeys.add(key)
    setClosedKeys(newClosedKeys)
  }
  return { lines, toggle }
}

function listLinesOf(
  groups: readonly TaskGroup[],
  withHeads: boolean,
  closedKeys: ReadonlySet<string>,
): ListLine[] {
  return groups.flatMap((group): ListLine[] => {
    const isClosed = closedKeys.has(group.key)
    const rows = isClosed ? [] : group.ids.map((id) => ({ id }))
    return withHeads ? [{ group, isClosed }, ...rows] : rows
  })
}

export const keyOfLine = (line: ListLine | undefined) =>
  line === undefined || 'id' in line ? (line?.id ?? '') : `group ${line.group.key}`
