import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { denied, type Refusal } from '../../kernel/refusal.ts'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { explainMissingAdminRights } from '../../kernel/administrators.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('an administrator with an ordinary key learns from every operation that the key lacks the rights', async () => {
  const { ann, key } = workspace
  const team = await ann.call('create_team', { name: 'Platform' })
  const service = await ann.call('create_service', { name: 'Bookings', team_id: team.id })
  const plain = { key: await key(ann) }
  for (const [tool, args] of [
    ['create_team', { name: 'Other' }],
    ['update_service', { service_id: service.id, description: 'x' }],
    ['update_team', { team_id: team.id, name: 'Engine' }],
  ] as const) {
    const refusal = await ann.call(tool, args, plain).then(
      () => assert.fail(`${tool} was not refused`),
      (error: unknown) => error as Refusal,
    )
    assert.equal(refusal.code, 'permission_denied', tool)
    assert.match(refusal.message, /^The key ".+" does not have administrator rights\. /, tool)
    assert.match(String(refusal.more.hint), /keys create --admin/)
  }
})

test('members get only the rule, and a connection is referred to as one', async () => {
  const { ann, bob, key } = workspace
  const rule = denied('Only administrators may create teams.')
  const plain = await key(bob)
  assert.equal(explainMissingAdminRights({ ...bob.actor, key: plain }, rule), rule)
  const connection = { isHosted: true, canAskToWrite: false, resource: 'http://x/mcp' }
  const connected = { ...(await key(ann)), name: 'Claude', connection }
  assert.match(
    explainMissingAdminRights({ ...ann.actor, key: connected }, rule).message,
    /^The connection "Claude" does not have administrator rights\./,
  )
})
