import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../testing/harness.ts'
import { Refusal } from '../kernel/refusal.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace({
    settings: {
      mcp_streams_per_key: 2,
      mcp_streams: 3,
      web_streams_per_person: 2,
      web_streams: 3,
    },
  })
})
after(() => workspace.close())

function refusalOf(open: () => void): Refusal {
  try {
    open()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('The stream was not refused.')
}

test('streams are limited per key and in total, and closing one frees a slot', () => {
  const {
    app: { live },
    ann,
    bob,
    carol,
  } = workspace
  const open = (who: typeof ann) => live.registerStream(who.actor, () => {})
  const first = open(ann)
  open(ann)
  assert.equal(refusalOf(() => open(ann)).status, 429)
  open(bob)
  const full = refusalOf(() => open(carol))
  assert.deepEqual([full.status, full.more.retry_after_seconds], [503, 60])
  assert.equal(live.streams, 3)
  first()
  first()
  assert.equal(live.streams, 2)
  open(carol)
})

test('people in the web app have their own limits, which streams of keys do not use up', async () => {
  const {
    app: { live },
    bob,
  } = workspace
  const countBefore = live.streams
  const withKey = { ...bob.actor, key: await workspace.key(bob) }
  assert.throws(() => live.registerStream(bob.actor, () => {}), /the maximum of this server/)
  const ends = [1, 2].map(() => live.registerStream(withKey, () => {}))
  assert.throws(() => live.registerStream(withKey, () => {}), /This key already has 2 streams open/)
  assert.equal(live.streams, countBefore + 2)
  for (const end of ends) end()
})
