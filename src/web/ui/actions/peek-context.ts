import { createContext } from 'react'
import type { Referred } from '../ItemLink.tsx'

/** Within it, links to items open them beside what is on the screen; undefined: they lead to their pages. */
export const PeekContext = createContext<((item: Referred) => void) | undefined>(undefined)
