import { createContext } from 'react'

interface TreeOfFolders {
  /** The folder that is shown beside the tree. */
  shownId: string
  /** The folder to which `Tab` leads. */
  stop: string | undefined
  setStop: (id: string) => void
  /** Told once the folder that is shown stands in the tree. */
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
