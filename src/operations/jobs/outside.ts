import type { App } from '../app.ts'
import type { Outside } from './job.ts'
import { sealedOf } from './sealed-secrets.ts'
import { runPiece } from './system.ts'

/** External access for work outside the transactions of a call; its writes are recorded under the tool's name. */
export function outsideOf(
  app: App,
  tool: string,
  signal: AbortSignal = new AbortController().signal,
): Outside {
  const { outbound, settings, log, clock } = app
  return {
    outbound,
    settings,
    log,
    signal,
    secrets: sealedOf(app),
    now: () => clock.now(),
    write: (work) => runPiece(app, tool, work),
  }
}
