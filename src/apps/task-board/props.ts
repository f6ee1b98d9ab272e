import type { Host } from '../shared/host.ts'
import type { Board } from './board.ts'

export interface BoardProps {
  board: Board
  host: Host
}
