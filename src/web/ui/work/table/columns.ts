import type { ReactNode } from 'react'
import { createCellState } from './cell.ts'

/** A list that opens at a cell, and a function that closes it. */
export interface CellPopup {
  anchor: Element
  close: () => void
}

/** A column of a row table: how its values are displayed and edited. */
export interface RowColumn<R> {
  id: string
  label: string
  /** In pixels. */
  width: number
  /** Stays visible while the others scroll. */
  isPinned?: boolean
  /** Numbers are aligned to the end of their cell. */
  isNumber?: boolean
  content: (row: R) => ReactNode
  /** The value as text: initial text of the field, and copied text. */
  text: (row: R) => string
  /** Applies the text typed into the cell. A column with neither this nor `list` is read-only. */
  write?: (row: R, text: string) => void
  /** Picker opened at the cell. */
  list?: (row: R, popup: CellPopup) => ReactNode
}

/** The current cell of the displayed table; there is only one such table at a time. */
export const cells = createCellState<string>()

export const cellElement = (id: string | undefined, column: string) =>
  document.querySelector<HTMLElement>(
    `[data-row-id="${CSS.escape(id ?? '')}"] [data-column="${CSS.escape(column)}"]`,
  )

/** The column widths as a CSS value, limited on phones. */
export const gridTemplate = (columns: readonly { width: number }[], isNarrow: boolean) =>
  `var(--head-width) ${columns
    .map(({ width }) => `${Math.min(width, isNarrow ? 200 : Infinity)}px`)
    .join(' ')}`
