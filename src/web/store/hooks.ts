import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { table } from './rows.ts'
import { onStreamState, streamState } from './stream/stream.ts'
import type { StreamState } from './stream/tabs.ts'
import type { RowOf, RowType } from './types.ts'
import { ViewIndex, type View, type ViewState } from './view.ts'

/** The current row; undefined if it is not loaded or not visible. */
export function useRow<T extends RowType>(type: T, id: string): RowOf<T> | undefined {
  const rows = table(type)
  return useSyncExternalStore(
    useCallback((listener: () => void) => rows.listen(id, listener), [rows, id]),
    () => rows.get(id),
  )
}

/** True if the person has unconfirmed changes of a row. */
export function useIsUnconfirmed(type: RowType, id: string): boolean {
  const rows = table(type)
  return useSyncExternalStore(
    useCallback((listener: () => void) => rows.listen(id, listener), [rows, id]),
    () => rows.isUnconfirmed(id),
  )
}

/**
 * The ids of a view's rows, in order and by group; the same object until they differ. Keep `view` between renders
 * (useMemo). While `isFrozen`, rows keep their place.
 */
export function useRows<T extends RowType>(
  type: T,
  view: View<RowOf<T>>,
  { isFrozen = false }: { isFrozen?: boolean } = {},
): ViewState {
  const index = useMemo(() => new ViewIndex(table(type), view), [type, view])
  useEffect(() => index.freeze(isFrozen), [index, isFrozen])
  return useSyncExternalStore(index.subscribe, index.state)
}

/**
 * The rows of a type that `predicate` accepts, in no order; the same array until a row of the type changes. Keep
 * `predicate` between renders (useCallback).
 */
export function useAllRowsOf<T extends RowType>(
  type: T,
  predicate: (row: RowOf<T>) => boolean = acceptAll,
): readonly RowOf<T>[] {
  const rows = table(type)
  const version = useSyncExternalStore(
    useCallback((listener: () => void) => rows.listenAll(listener), [rows]),
    () => rows.version,
  )
  return useMemo(
    () => (version < 0 ? [] : [...rows.all()].filter(predicate)),
    [rows, version, predicate],
  )
}

const acceptAll = () => true

export function useStreamState(): StreamState {
  return useSyncExternalStore(onStreamState, streamState)
}
