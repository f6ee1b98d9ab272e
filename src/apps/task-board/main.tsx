import { startView } from '../shared/start.tsx'
import '../shared/view.css'
import { Board } from './board.ts'
import './board.css'
import { BoardView } from './BoardView.tsx'

void startView('task-board', (host, redraw) => {
  const board = new Board(host, redraw)
  return {
    draw: () => <BoardView board={board} host={host} />,
    onResult: (args, result) => void board.loadResult(args, result),
    onCancelled: () => board.cancelled(),
  }
})
