import assert from 'node:assert/strict'
import { statSync, truncateSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { databasePath } from '../../db/open.ts'
import { makeWorkspace } from '../../testing/harness.ts'
import { leading, program } from '../../testing/process.ts'
import { checkAfterFailures } from './self-check.ts'

const programArgs = [program, ...leading]

/**
 * A workspace whose disk has just failed, as far as its writer can tell: returns the reason why the server ended, if
 * it did, or its last log entry.
 */
async function outcomeOfFailure(
  t: TestContext,
  command: readonly string[],
  damage: (dataDir: string) => void = () => {},
) {
  const { app, dataDir, close } = await makeWorkspace()
  t.after(close)
  const { promise, resolve } = Promise.withResolvers<{
    ended?: number
    says?: string
    details?: unknown
  }>()
  const note = (says: string, details?: unknown) =>
    !says.startsWith('the disk failed') && !says.endsWith('stopping') && resolve({ says, details })
  Object.assign(app, { log: { ...app.log, info: note, error: note } })
  app.store.raw.write.pragma('wal_checkpoint(TRUNCATE)')
  damage(dataDir)
  checkAfterFailures(app, (ended) => resolve({ ended }), command)
  app.store.writer.onFailure!('SQLITE_IOERR_WRITE')
  return promise
}

test('the server continues on an intact database', async (t) => {
  assert.equal((await outcomeOfFailure(t, programArgs)).says, 'the database is intact')
})

test('the server exits with 74 on a damaged database', async (t) => {
  assert.deepEqual(
    await outcomeOfFailure(t, programArgs, (dir) =>
      truncateSync(databasePath(dir), statSync(databasePath(dir)).size - 8192),
    ),
    { ended: 74 },
  )
})

test('a doctor that fails to start, dies or finds an invalid setting has found no damage: the server continues and reports it', async (t) => {
  const { says, details } = await outcomeOfFailure(t, ['/nowhere/workspace'])
  assert.match(says!, /could not be checked.*workspace doctor --only database/)
  assert.match(JSON.stringify(details), /ENOENT/)
  const killed = await outcomeOfFailure(t, ['/bin/sh', '-c', 'kill -9 $$'])
  assert.match(killed.says!, /could not be checked/)
  process.env.WORKSPACE_PORT = 'none'
  t.after(() => delete process.env.WORKSPACE_PORT)
  const invalidSetting = await outcomeOfFailure(t, programArgs)
  assert.match(invalidSetting.says!, /could not be checked/)
  assert.match(JSON.stringify(invalidSetting.details), /WORKSPACE_PORT/)
})
