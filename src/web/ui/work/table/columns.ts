import type { ReactNode } from 'react'
import { makeCell } from './cell.ts'

/** A list that opens at a cell, and what closes it. */
export interface CellList {
  anchor: Element
  close: () => void
}

/** A column of a table of rows, with how its values are shown and changed. */
export interface RowColumn<R> {
  id: string
  label: string
  /** In pixels. */
  width: number
  /** Stays visible while the others scroll. */
  isPinned?: boolean
  /** Numbers stand at the end of their cell. */
  isNumber?: boolean
  content: (row: R) => ReactNode
  /** The value as text: what stands in the field at first, and what is copied. */
  text: (row: R) => string
  /** Takes what was typed into the cell. A column with neither this nor `list` is only shown. */
  write?: (row: R, text: string) => void
  /** Picker opened at the cell. */
  list?: (row: R, at: CellList) => ReactNode
}

/** The cell of the table on the screen that one is in; only one such table is there at a time. */
export const cells = makeCell<string>()

export const cellElement = (id: string | undefined, column: string) =>
  document.querySelector<HTMLElement>(
    `[data-row-id="${CSS.escape(id ?? '')}"] [data-column="${CSS.escape(column)}"]`,
  )

/** The widths of the columns as CSS takes them; on a telephone none is wider than its screen needs. */
export const trackList = (columns: readonly { width: number }[], isNarrow: boolean) =>
  `var(--head-width) ${columns
    .map(({ width }) => `${Math.min(width, isNarrow ? 200 : Infinity)}px`)
    .join(' ')}`
