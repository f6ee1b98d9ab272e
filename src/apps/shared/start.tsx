import { render, type ComponentChild } from 'preact'
import { connectHost, type Host, type ViewListener } from './host.ts'
import { ProblemNotice } from './notices.tsx'
import { problemOf } from './refusals.ts'

/** A view driven by its host; renders on request. */
export interface RunningView extends Omit<ViewListener, 'onContext'> {
  draw(): ComponentChild
}

/** Starts a view in this page. `createView` receives the host and a function that renders again after a change. */
export async function startView(
  name: string,
  createView: (host: Host, redraw: () => void) => RunningView,
): Promise<void> {
  const root = document.getElementById('view') ?? document.body
  try {
    const host = await connectHost(name)
    const redraw = () => render(view.draw(), root)
    const view = createView(host, redraw)
    redraw()
    host.begin({
      onResult: (args, result) => view.onResult(args, result),
      onCancelled: () => view.onCancelled(),
      onContext: redraw,
    })
  } catch (error) {
    render(<ProblemNotice problem={problemOf(error)} />, root)
  }
}
