import { createElement, type ComponentPropsWithRef } from 'react'

type DivProps = ComponentPropsWithRef<'div'>

// Grid parts for a list that renders only visible rows, which a table element cannot do.
export const GridRoot = (props: DivProps) => createElement('div', { role: 'grid', ...props })
export const GridRow = (props: DivProps) => createElement('div', { role: 'row', ...props })
export const GridColumnHead = (props: DivProps) =>
  createElement('div', { role: 'columnheader', ...props })
export const GridRowHead = (props: DivProps) =>
  createElement('div', { role: 'rowheader', ...props })
export const GridCell = (props: DivProps) => createElement('div', { role: 'gridcell', ...props })
