import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertProvider } from '../../sso/providers.ts'
import { inspectIssuer } from '../../sso/inspection.ts'
import { issueScimToken } from '../../sso/scim/tokens.ts'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { startOidcServer, type OidcServer } from '../../testing/servers/oidc.ts'
import { checkSignIn } from './sign-in.ts'

let workspace: TestWorkspace
let oidc: OidcServer
before(async () => {
  oidc = await startOidcServer()
  oidc.allow('https://work.example/callback')
  workspace = await makeWorkspace({ settings: { outbound_allow: new URL(oidc.issuer).host } })
})
after(async () => {
  await workspace.close()
  await oidc.close()
})

test('unreachable providers, issuer mismatches and soon expiring tokens are reported', async () => {
  const { app, ann } = workspace
  const check = () =>
    checkSignIn(app.store.read, workspace.clock.now(), (issuer) =>
      inspectIssuer(app.outbound, issuer),
    )
  const add = (name: string, issuer: string) =>
    app.store.writer.run(() =>
      insertProvider(app, ann.actor.org_id, { name, issuer, clientId: 'x', clientSecret: 'y' }),
    )
  assert.deepEqual(
    (await check()).map(({ state, says }) => [state, says]),
    [['ok', 'No identity provider is set up.']],
  )
  const good = await add('Good', oidc.issuer)
  assert.match((await check())[0]?.says ?? '', /answer, with their keys: 1\./)
  await add('Slash', `${oidc.issuer}/`)
  await add('Gone', 'http://127.0.0.1:9')
  const day = 24 * 3_600_000
  const expiresAt = workspace.clock.now() + 3 * day
  await app.store.writer.run(() => issueScimToken(app, good, { name: 'Soon', expiresAt }))
  const findings = await check()
  assert.deepEqual(
    findings.map(({ state }) => state),
    ['warn', 'warn', 'warn'],
  )
  const received = findings.map(({ says }) => says)
  assert.match(received[0] ?? '', /cannot sign in at Gone/)
  assert.match(
    received[1] ?? '',
    /cannot sign in at Slash: its discovery document names the issuer/,
  )
  assert.match(received[2] ?? '', /"Soon" of Good ends within two weeks/)
})
