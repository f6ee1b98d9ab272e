import { createContext } from 'react'
import type { ItemReference } from '../ItemLink.tsx'

/** Links to items inside it open beside the current screen; undefined: they open the items' pages. */
export const PeekContext = createContext<((item: ItemReference) => void) | undefined>(undefined)
