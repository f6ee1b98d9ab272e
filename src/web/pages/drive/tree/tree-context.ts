import { createContext } from 'react'

interface TreeOfFolders {
  /** The folder shown beside the tree. */
  shownId: string
  /** The folder in the tab order. */
  stop: string | undefined
  setStop: (id: string) => void
  /** Called once the displayed folder is rendered in the tree. */
  arrive: (id: string) => void
  setOpen: (ids: readonly string[], isOpen: boolean) => void
}

export const TreeContext = createContext<TreeOfFolders>({
  shownId: '',
  stop: undefined,
  setStop: () => {},
  arrive: () => {},
  setOpen: () => {},
})
