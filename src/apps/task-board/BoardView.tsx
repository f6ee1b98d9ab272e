import { Announcement, ProblemNotice } from '../shared/notices.tsx'
import { boardColumnsOf, type BoardColumn } from './columns.ts'
import type { BoardProps } from './props.ts'
import { TaskCard } from './TaskCard.tsx'

export function BoardView({ board, host }: BoardProps) {
  const { tasks, statuses, isLoading, problem, announcement, nextCursor } = board.state
  const columns = boardColumnsOf(tasks, statuses)
  return (
    <div class="stack" aria-busy={isLoading}>
      <div class="row between">
        <h1>{tasks.length === 1 ? '1 task' : `${tasks.length}${nextCursor ? '+' : ''} tasks`}</h1>
        {host.canCall && (
          <button type="button" disabled={isLoading} onClick={() => board.refresh()}>
            {isLoading ? 'Loading…' : 'Refresh'}
          </button>
        )}
      </div>
      <ProblemNotice problem={problem} />
      <Announcement text={announcement} />
      {!host.canCall && (
        <p class="notice small muted">
          This host only shows the board. Ask the assistant to move or change a task.
        </p>
      )}
      {tasks.length === 0 && !isLoading && !problem && <p class="muted">No tasks match.</p>}
      {tasks.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also by keyboard
        <section class="columns" aria-label="Columns" tabIndex={0}>
          {columns.map((column) => (
            <Column key={column.name} column={column} board={board} host={host} />
          ))}
        </section>
      )}
      {nextCursor && host.canCall && (
        <button type="button" disabled={isLoading} onClick={() => board.loadMore()}>
          Load more
        </button>
      )}
    </div>
  )
}

/** Drop target for tasks by pointer; for keyboard and touch, each task has a status field. */
function Column({ column, board, host }: BoardProps & { column: BoardColumn }) {
  const { name, tasks } = column
  const drop = (event: DragEvent) => {
    event.preventDefault()
    const key = event.dataTransfer?.getData('text/plain')
    const task = board.state.tasks.find((boardTask) => boardTask.key === key)
    if (task) void board.move(task, name)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one of two ways, the other is a form field
    <div
      class={tasks.length === 0 ? 'column empty' : 'column'}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <h2 class="row between">
        <span dir="auto">{name}</span>
        <span class="muted small">{tasks.length}</span>
      </h2>
      <ul>
        {tasks.map((task) => (
          <TaskCard key={task.key} task={task} board={board} host={host} />
        ))}
      </ul>
    </div>
  )
}
