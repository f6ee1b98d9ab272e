import { createContext } from 'react'
import type { Referred } from '../ItemLink.tsx'

/** Links to items inside it open beside the current screen; undefined: they open the items' pages. */
export const PeekContext = createContext<((item: Referred) => void) | undefined>(undefined)
