import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../testing/harness.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { authorize, connectProgram, postForm } from './testing.ts'

let served: ServedWorkspace
/** Recorded steps, in order. */
const recordedSteps: string[] = []
before(async () => {
  served = await serveWorkspace()
  served.app.meter = {
    recordCall() {},
    recordRequest() {},
    recordConnectingStep: (step, outcome) => void recordedSteps.push(`${step} ${outcome}`),
    recordSsoStep() {},
    recordRerank() {},
    text: async () => ({ type: 'text/plain', text: '' }),
  }
  await givePasswords(served, served.bob)
})
after(() => served.close())

test('each step of connecting a client is counted by outcome', async () => {
  const bob = await new Browser(served).signIn('bob@acme.test')
  const { clientId, refresh } = await connectProgram(served, bob)
  const requestRefresh = () =>
    postForm(served, '/oauth/token', {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: refresh,
    })
  await requestRefresh()
  await requestRefresh()
  served.clock.wait(11 * minute)
  await requestRefresh()
  await authorize(served, { client_id: 'unknown', redirect_uri: 'http://127.0.0.1/callback' })
  assert.deepEqual(recordedSteps, [
    'register ok',
    'authorize ok',
    'consent ok',
    'code ok',
    'refresh ok',
    'repeat ok',
    'refresh ok',
    'replay ended',
    'refresh invalid_grant',
    'authorize invalid_client',
  ])
})
