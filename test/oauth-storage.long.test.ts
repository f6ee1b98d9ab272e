import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Database from 'better-sqlite3'
import { databasePath } from '../src/db/open.ts'
import {
  authorizationOf,
  authorize,
  connectProgram,
  loopbackRedirect,
  newPkcePair,
  postForm,
  register,
  type ProgramConnection,
} from '../src/http/oauth/testing.ts'
import { allowProgram } from '../src/oauth/testing.ts'
import { Browser, givePasswords } from '../src/testing/browser.ts'
import { serveWorkspace, type ServedWorkspace, type TestResponse } from '../src/testing/server.ts'

// A program must not mistake a full or busy database for the end of its connection: hosts discard tokens on
// invalid_grant.

let served: ServedWorkspace
let bob: Browser
before(async () => {
  served = await serveWorkspace()
  await givePasswords(served, served.bob)
  bob = await new Browser(served).signIn('bob@acme.test')
})
after(() => served.close())

const refresh = ({ clientId, refresh: token }: Pick<ProgramConnection, 'clientId' | 'refresh'>) =>
  postForm(served, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: token,
  })

function requireUnavailable({ status, json, headers, text }: TestResponse): void {
  assert.deepEqual([status, json?.error], [503, 'temporarily_unavailable'], text)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.ok(Number(headers.get('retry-after')) >= 1)
}

/** Repeats a request until storage is full, and returns the last successful answer. */
async function untilFull(
  ask: (last: TestResponse | undefined, n: number) => Promise<TestResponse>,
): Promise<TestResponse | undefined> {
  let last: TestResponse | undefined
  for (let n = 0; n < 500; n++) {
    const got = await ask(last, n)
    if (got.status >= 400) {
      requireUnavailable(got)
      return last
    }
    last = got
  }
  throw new Error('There was always room.')
}

const inApp = () => ({ ...served, issuer: served.url })

test('while the disk is full, tokens, codes and registrations get temporarily_unavailable, and none is lost', async () => {
  const { raw } = served.app.store
  const connected = await connectProgram(served, bob)
  const program = await allowProgram(inApp(), served.bob)
  const redeem = () =>
    postForm(served, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: program.client.clientId,
      code: program.code,
      code_verifier: program.verifier,
      redirect_uri: program.redirectUri,
    })
  raw.write.pragma(`max_page_count = ${raw.write.pragma('page_count', { simple: true })}`)
  let current = connected
  const last = await untilFull((before) => {
    if (before) current = { ...current, refresh: before.json.refresh_token }
    return refresh(current)
  })
  const newest = { ...current, refresh: last?.json.refresh_token ?? current.refresh }
  await untilFull((_, n) =>
    served.ask('POST', '/oauth/register', {
      key: undefined,
      body: { client_name: `Full ${n} ${'x'.repeat(60)}`, redirect_uris: [loopbackRedirect] },
    }),
  )
  requireUnavailable(await refresh(newest))
  requireUnavailable(await redeem())
  const authorization = authorizationOf(connected.clientId, newPkcePair().challenge)
  let at: URL
  do ({ location: at } = await authorize(served, authorization))
  while (at.pathname.startsWith('/connect/'))
  assert.deepEqual(
    ['error', 'state', 'iss'].map((name) => at.searchParams.get(name)),
    ['temporarily_unavailable', 'a state', served.url],
  )
  raw.write.pragma('max_page_count = 1000000')
  for (const got of [await refresh(newest), await redeem()]) assert.equal(got.status, 200, got.text)
  assert.equal((await authorize(served, authorization)).status, 303)
})

test('while another process holds the database for long, a refresh gets temporarily_unavailable and succeeds afterwards', async () => {
  const connected = await connectProgram(served, bob)
  const other = new Database(databasePath(served.dataDir))
  other.exec('BEGIN IMMEDIATE')
  const refused = await Promise.all([
    refresh(connected),
    postForm(served, '/oauth/revoke', {
      client_id: connected.clientId,
      token: connected.refresh,
    }),
    served.ask('POST', '/oauth/register', {
      key: undefined,
      body: { client_name: 'Waiting', redirect_uris: [loopbackRedirect] },
    }),
  ])
  other.exec('ROLLBACK')
  other.close()
  for (const got of refused) requireUnavailable(got)
  assert.equal((await refresh(connected)).status, 200)
  await register(served, { client_name: 'Waiting' })
})
