import { createElement, type ComponentPropsWithRef } from 'react'

type DivProps = ComponentPropsWithRef<'div'>

// The parts of a list whose rows are drawn only where they are visible, which a table cannot be.
export const GridRoot = (props: DivProps) => createElement('div', { role: 'grid', ...props })
export const GridRow = (props: DivProps) => createElement('div', { role: 'row', ...props })
export const GridColumnHead = (props: DivProps) =>
  createElement('div', { role: 'columnheader', ...props })
export const GridRowHead = (props: DivProps) =>
  createElement('div', { role: 'rowheader', ...props })
export const GridCell = (props: DivProps) => createElement('div', { role: 'gridcell', ...props })
