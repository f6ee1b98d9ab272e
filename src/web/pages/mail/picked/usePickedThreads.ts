import { useState } from 'react'
import type { Split, ThreadRow } from '../splits.ts'

interface PickedState {
  ids: ReadonlySet<string>
  /** Start of a range selection. */
  anchor: string | undefined
  split: Split
}

interface PickedOptions {
  threads: readonly ThreadRow[]
  split: Split
  /** The current conversation. */
  current: ThreadRow | undefined
  go: (id: string) => void
}

/** The selected conversations of a split, for bulk actions. Conversations that leave the split are deselected. */
export function usePickedThreads({ threads, split, current, go }: PickedOptions) {
  const nothingPicked: PickedState = { ids: new Set(), anchor: undefined, split }
  const [storedState, setPicked] = useState(nothingPicked)
  const { ids, anchor } = storedState.split === split ? storedState : nothingPicked
  const picked = threads.filter(({ id }) => ids.has(id))
  const pickedIds = picked.map(({ id }) => id)
  const clear = () => setPicked(nothingPicked)
  const toggle = (id: string) =>
    setPicked({ ids: new Set(pickedIds).symmetricDifference(new Set([id])), anchor: id, split })
  const pickTo = (id: string | undefined) => {
    if (id === undefined) return
    const from = anchor !== undefined && pickedIds.includes(anchor) ? anchor : (current?.id ?? id)
    const order = threads.map((thread) => thread.id)
    const [first = 0, last = 0] = [order.indexOf(from), order.indexOf(id)].toSorted((a, b) => a - b)
    setPicked({ ids: new Set(order.slice(Math.max(0, first), last + 1)), anchor: from, split })
    go(id)
  }
  const pickBy = (step: number) => {
    const index = threads.findIndex(({ id }) => id === current?.id)
    pickTo(threads[Math.max(0, Math.min(threads.length - 1, index + step))]?.id)
  }
  const pickAll = () =>
    setPicked({ ids: new Set(threads.map(({ id }) => id)), anchor: undefined, split })
  return {
    threads: picked,
    /** Conversations that actions apply to: the selected ones, or the current one. */
    targets: picked.length > 0 || !current ? picked : [current],
    isPicked: (id: string) => ids.has(id),
    clear,
    toggle,
    pickTo,
    pickBy,
    all: pickAll,
  }
}

export type PickedThreads = ReturnType<typeof usePickedThreads>
