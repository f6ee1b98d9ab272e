import assert from 'node:assert/strict'
import { HandClock, makeWorkspace } from '../harness.ts'
import { isExecutable, serve } from '../process.ts'
import { requestableAt, serveWorkspace, type RequestableWorkspace } from '../server.ts'
import { deafHost } from './things.ts'

/** Advancing it by hand has no effect. */
class RealClock extends HandClock {
  override now(): number {
    return Date.now()
  }
}

/**
 * A workspace for black-box suites. If WORKSPACE_EXECUTABLE is set, the server runs that program, and this process
 * also opens the database, as a command does; `clock` is then the real one.
 */
export async function serveBlackBox(apiOrigins = 'any'): Promise<RequestableWorkspace> {
  const settings = { outbound_allow: deafHost, api_origins: apiOrigins }
  if (!isExecutable) return serveWorkspace({ settings })
  const workspace = await makeWorkspace({ settings, clock: new RealClock(), role: 'begin' })
  const server = await serve(
    workspace.dataDir,
    '--master-key-file',
    workspace.app.settings.master_key_file,
    '--outbound-allow',
    deafHost,
    '--api-origins',
    apiOrigins,
    '--check-answers',
    'yes',
    '--log-level',
    'error',
  )
  server.child.stderr!.pipe(process.stderr) // a bug that a test ran into must be seen
  return requestableAt(workspace, server.url, async () =>
    assert.equal(await server.end(), 0, server.output()),
  )
}
