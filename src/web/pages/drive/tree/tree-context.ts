import { createContext } from 'react'

interface FolderTreeState {
  /** The folder shown beside the tree. */
  shownId: string
  /** The folder in the tab order. */
  tabStopId: string | undefined
  setStop: (id: string) => void
  /** Called once the displayed folder is rendered in the tree. */
  reveal: (id: string) => void
  setOpen: (ids: readonly string[], isOpen: boolean) => void
}

export const TreeContext = createContext<FolderTreeState>({
  shownId: '',
  tabStopId: undefined,
  setStop: () => {},
  reveal: () => {},
  setOpen: () => {},
})
