import { useSyncExternalStore } from 'react'
import type { TaskRow } from '../data/rows.ts'

export type PickField =
  | 'status'
  | 'priority'
  | 'assignees'
  | 'labels'
  | 'due'
  | 'start'
  | 'project'
  | 'sprint'
  | 'milestone'

export interface OpenPicker {
  field: PickField
  ids: readonly string[]
  anchor: Element
}

/** What the list of one field is given. */
export interface FieldPickerProps {
  ids: readonly string[]
  rows: readonly TaskRow[]
  anchor: Element
  close: () => void
}

let current: OpenPicker | undefined
const listeners = new Set<() => void>()

function set(picker: OpenPicker | undefined): void {
  current = picker
  for (const listener of listeners) listener()
}

/** Opens the list of a field for tasks, at an element. There is one such list on a screen. */
export const openPicker = (picker: OpenPicker) => set(picker)
export const closePicker = () => set(undefined)

export function useOpenPicker(): OpenPicker | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
