// Tests that an idle server sends no statements to the database except for work that comes due.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ClockWatch } from '../src/cli/server/clock-watch.ts'
import { startRounds } from '../src/cli/server/rounds.ts'
import { Queue } from '../src/jobs/queue.ts'
import { runTicks, startTicks } from '../src/jobs/scheduler.ts'
import { startSearchUpkeep } from '../src/jobs/upkeep.ts'
import { startWatches } from '../src/jobs/watch-runner.ts'
import { makeWorkspace, type TestWorkspace } from '../src/testing/harness.ts'
import { recordRuns } from '../src/testing/runs.ts'

/** Longer than the queue's polling interval for other processes' jobs. */
const quietTime = 2_500
/** Maximum statements of one minute's checks if nothing is due. */
const maxStatementsPerRound = 115

let workspace: TestWorkspace
let stop: () => Promise<unknown>

before(async () => {
  workspace = await makeWorkspace()
  const { app, ann, bob } = workspace
  await ann.call('create_project', { name: 'Pumps', key: 'PMP', member_ids: [bob.id] })
  await ann.call('create_task', { project_id: 'PMP', title: 'Valve of the pump' })
  const queue = new Queue(app, { isOnlyServer: true })
  const ends = [
    startTicks(app),
    startSearchUpkeep(app),
    startWatches(app),
    startRounds(app, new ClockWatch(app.clock, app.log, undefined)),
  ]
  queue.start()
  stop = () => Promise.all([queue.stop(), ...ends.map((end) => end())])
})
after(async () => {
  await stop()
  await workspace.close()
})

/** The marker for commits by other processes is a pragma, and transaction statements read no row. */
const isStatement = (text: string) =>
  !/^(pragma|begin|savepoint|release|commit|select total_changes)\b/i.test(text)

test('an idle server runs no statement between scheduled work', async () => {
  const quiet = async () =>
    (await recordRuns(() => pause(quietTime))).statements.filter(isStatement)
  let idle = await quiet()
  for (let i = 0; i < 10 && idle.length > 0; i++) idle = await quiet() // what follows the start
  assert.deepEqual(idle, [])
})

test(`the scheduled work of a minute takes at most ${maxStatementsPerRound} statements when nothing is due`, async () => {
  const { app } = workspace
  await runTicks(app) // what came due until now
  await pause(1_000) // and what follows that
  let commits = 0
  const unwatch = app.live.watch(() => void commits++)
  const { statements } = await recordRuns(() => runTicks(app))
  unwatch()
  const executed = statements.filter(isStatement)
  assert.ok(executed.length > 0)
  assert.ok(executed.length <= maxStatementsPerRound, `${executed.length}:\n${executed.join('\n')}`)
  assert.equal(commits, 0, 'nothing was written, so no one who follows changes is woken')
})
