import { useSyncExternalStore } from 'react'
import type { CustomFieldName, PickField } from '../data/fields.ts'
import type { TaskRow } from '../data/rows.ts'

export interface OpenPicker {
  field: PickField | CustomFieldName
  ids: readonly string[]
  anchor: Element
  /** Text already typed at the value. */
  query?: string
  /** Tab in the list chooses, then moves to the next or previous value. */
  leave?: (step: number) => void
}

export interface FieldPickerProps {
  ids: readonly string[]
  rows: readonly TaskRow[]
  anchor: Element
  close: () => void
}

let current: OpenPicker | undefined
const listeners = new Set<() => void>()

function setOpenPicker(picker: OpenPicker | undefined): void {
  current = picker
  for (const listener of listeners) listener()
}

/** Opens the picker of a field for tasks, at an element. Only one is open at a time. */
export const openPicker = (picker: OpenPicker) => setOpenPicker(picker)
export const closePicker = () => setOpenPicker(undefined)

export function useOpenPicker(): OpenPicker | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
