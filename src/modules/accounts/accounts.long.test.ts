import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { personRequest } from '../../operations/endpoints/person-request.ts'
import { asPerson } from '../../operations/jobs/system.ts'
import { Queue } from '../../jobs/queue.ts'
import { connectAccount } from '../../testing/mail/accounts.ts'
import { Browser, givePasswords, password } from '../../testing/browser.ts'
import { dayLong, hour, minute, type KeyNarrowing, type Someone } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import {
  noDav,
  noMail,
  startMail,
  startRadicale,
  type DavDaemon,
  type MailDaemon,
} from '../../testing/servers/daemons.ts'
import { modules } from '../index.ts'
import { NeedsSignIn, reportSync, signInto, type AccountRow } from './access.ts'

const skip = noMail ?? noDav
const secretFile = `/tmp/workspace-google-${process.pid}.secret`
let mail: MailDaemon
let dav: DavDaemon
let served: ServedWorkspace
let ann: Browser
let bob: Browser
let eve: Browser
const logged: string[] = []
/** Texts that may exist only in memory, or sealed. */
const secrets = new Set<string>()

before(async () => {
  if (skip) return
  ;[mail, dav] = await Promise.all([
    startMail(['--users', 'ann:ann-secret-ä1,bob:bob-secret-2,carol:carol-secret-3']),
    startRadicale(['--users', 'ann:ann-dav-secret']),
  ])
  setDefaultCACertificates([...getCACertificates(), readFileSync(mail.ca, 'utf8')])
  writeFileSync(secretFile, `${mail.oauth.clientSecret}\n`)
  const { authorize, token, revoke, userinfo } = mail.oauth
  const tlsServer = (port: number) => ({ host: mail.host, port, tls: 'tls' as const })
  const settings = {
    google_client_id: mail.oauth.clientId,
    google_client_secret_file: secretFile,
    google_endpoints: JSON.stringify({
      authorize,
      token,
      revoke,
      userinfo,
      imap: tlsServer(mail.imap.tlsPort),
      smtp: tlsServer(mail.smtp.tlsPort),
      caldav: dav.url,
    }),
    outbound_allow: [
      mail.imap.port,
      mail.imap.tlsPort,
      mail.smtp.port,
      mail.smtp.tlsPort,
      dav.port,
      new URL(mail.oauth.url).port,
    ]
      .map((port) => `${mail.host}:${port}`)
      .join(','),
  }
  const testModules = modules.map((module) =>
    ['email', 'calendar', 'drive'].includes(module.name)
      ? { ...module, jobs: [], schedules: [], ticks: [] }
      : module,
  ) // sync is tested separately
  served = await serveWorkspace({ modules: testModules, settings })
  for (const level of ['info', 'warn', 'error'] as const) {
    const originalLog = served.app.log[level].bind(served.app.log)
    Object.assign(served.app.log, {
      [level]: (message: string, more?: Record<string, unknown>) => {
        logged.push(`${level} ${message} ${JSON.stringify(more)}`)
        return originalLog(message, more)
      },
    })
  }
  await givePasswords(served, served.ann, served.bob, served.eve)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
  eve = await new Browser(served).signIn('eve@other.test')
  for (const name of [
    'ann-secret-ä1',
    'bob-secret-2',
    'carol-secret-3',
    'ann-dav-secret',
    mail.oauth.clientSecret,
  ])
    secrets.add(name)
})
after(async () => {
  await served?.close()
  await Promise.all([mail?.close(), dav?.close()])
  rmSync(secretFile, { force: true })
})

/** Marks the password of all people as just entered. */
async function enterPasswords(): Promise<void> {
  for (const who of [ann, bob, eve])
    assert.equal((await who.post('/web/verify', { password })).status, 200)
}
beforeEach(async () => {
  if (!skip) await enterPasswords()
})

const mailServers = (tls: 'tls' | 'start' = 'tls') => ({
  imap: { host: mail.host, port: tls === 'tls' ? mail.imap.tlsPort : mail.imap.port, tls },
  smtp: { host: mail.host, port: tls === 'tls' ? mail.smtp.tlsPort : mail.smtp.port, tls },
  caldav_url: null,
})
const addMail = (who: Browser, name: string, password: string, more: object = {}) =>
  who.post('/web/accounts/imap', {
    address: `${name}@example.test`,
    password,
    ...mailServers(),
    ...more,
  })
const remove = (who: Browser, id: string) => who.post(`/web/accounts/${id}/remove`)
const row = (id: string) =>
  served.app.store.raw.write.prepare('SELECT * FROM accounts WHERE id = ?').get(id) as
    | AccountRow
    | undefined
const requestAs = (who: Someone) =>
  personRequest(served.app, who.actor, {
    tool: 'test',
    args: {},
    transport: 'automation',
    requestId: 'test',
    route: 'test',
    ip: '',
  })
const control = async (path: string) =>
  (await (await fetch(`${mail.control}/${path}`)).json()) as Record<string, number>
const drain = () => new Queue(served.app, { random: () => 0 }).drain()

/** Gives consent on Google's page; returns the redirect address. `change`: the person's actions there. */
async function giveConsent(
  who: Browser,
  address: string,
  { more = {}, change = (_: URL) => {} }: { more?: object; change?: (url: URL) => void } = {},
): Promise<string> {
  const started = await who.post('/web/accounts/google/start', more)
  assert.equal(started.status, 200, started.text)
  const url = new URL(started.json.url)
  url.searchParams.set('login_hint', address)
  change(url)
  const back = await fetch(url, { redirect: 'manual' })
  const location = new URL(back.headers.get('location')!)
  return location.pathname + location.search
}
const fromGoogle = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

/** A browser redirected by Google's page. By hand, since fetch sets its own Sec-Fetch-Mode. */
function followRedirect(
  who: Browser,
  path: string,
  headers: Record<string, string> = fromGoogle,
): Promise<{ status: number; text: string; headers: IncomingHttpHeaders }> {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return new Promise((resolve, reject) => {
    const httpRequest = request(
      served.url + path,
      { headers: { ...headers, ...(cookie === '' ? {} : { cookie }) } },
      (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (part) => (text += part))
          .on('end', () =>
            resolve({ status: response.statusCode!, text, headers: response.headers }),
          )
      },
    )
    httpRequest.on('error', reject).end()
  })
}
const listOf = async (who: Browser) =>
  (await who.get('/web/accounts')).json.items as {
    id: string
    address: string
    status: string
    default: boolean
  }[]

test('a mail account is tested at both servers before it is saved, and its password is in no response', {
  skip,
}, async () => {
  const added = await addMail(ann, 'ann', 'ann-secret-ä1', { display_name: 'Ann of Acme' })
  assert.equal(added.status, 200, added.text)
  const { id, status, has_mail, has_calendar, display_name, servers } = added.json
  assert.deepEqual(
    [status, has_mail, has_calendar, display_name, added.json.default],
    ['syncing', true, false, 'Ann of Acme', true],
  )
  assert.deepEqual(servers, { imap: mailServers().imap, smtp: mailServers().smtp })
  assert.deepEqual((await ann.post(`/web/accounts/${id}/test`)).json, {
    works: true,
    tried: ['imap', 'smtp'],
  })
  assert.deepEqual(await signInto(requestAs(served.ann), row(id)!), {
    user: 'ann@example.test',
    password: 'ann-secret-ä1',
  })
  const mailboxes = async (key?: KeyNarrowing) =>
    (
      await served.ann.call(
        'get_me',
        { include: ['accounts'] },
        key ? { key: await served.key(served.ann, key) } : {},
      )
    ).accounts.mail.map((item: { id: string }) => item.id)
  assert.deepEqual(
    [
      await mailboxes(),
      await mailboxes({ toolsets: ['people', 'email'] }),
      await mailboxes({ toolsets: ['people'] }),
    ],
    [[id], [id], []],
  )
  const again = await addMail(ann, 'ann', 'ann-secret-ä1')
  assert.deepEqual(
    [again.status, again.json.code, again.json.account_id ?? again.json.context?.account_id],
    [409, 'conflict', id],
  )
  const starting = await addMail(ann, 'carol', 'carol-secret-3', mailServers('start'))
  assert.equal(starting.status, 200, starting.text)
  assert.deepEqual([starting.json.default, starting.json.servers.imap.tls], [false, 'start'])
  assert.equal((await remove(ann, starting.json.id)).status, 200)
  assert.equal((await remove(ann, id)).status, 200)
})

test('a wrong password, server or port is reported with the reason, and nothing is saved', {
  skip,
}, async () => {
  const cases: [object, RegExp, RegExp][] = [
    [{ password: 'wrong' }, /refused the user name or the password/, /app password/],
    [
      { smtp_password: 'wrong' },
      /outgoing mail server .* refused the user name or the password/,
      /app password/,
    ],
    [
      { imap: { host: mail.host, port: mail.imap.port, tls: 'tls' } },
      /certificate|could not be reached/,
      /port/,
    ],
    [
      { imap: { host: 'localhost', port: mail.imap.tlsPort, tls: 'tls' } },
      /not an allowed address on the public internet/,
      /--outbound-allow/,
    ],
    [
      { imap: { host: mail.host, port: 993, tls: 'tls' } },
      /not an allowed address on the public internet/,
      /--outbound-allow/,
    ],
  ]
  for (const [more, message, hint] of cases) {
    const got = await addMail(bob, 'bob', 'bob-secret-2', more)
    assert.ok(got.status >= 400 && got.status < 503, got.text)
    assert.match(got.json.detail ?? got.json.message, message)
    assert.match(got.json.hint ?? got.text, hint)
    assert.doesNotMatch(got.text, /bob-secret/)
  }
  assert.equal(
    (await bob.post('/web/accounts/imap', { address: 'no address', password: 'x' })).json.code,
    'invalid_argument',
  )
  assert.deepEqual(await listOf(bob), [])
  assert.equal(
    served.app.store.raw.write
      .prepare("SELECT count(*) FROM secrets WHERE table_name = 'accounts'")
      .pluck()
      .get(),
    0,
  )
})

test('calendar-only accounts are connected by CalDAV', { skip }, async () => {
  const wrong = await ann.post('/web/accounts/caldav', {
    address: 'ann@example.test',
    login: 'ann',
    password: 'wrong',
    url: dav.url,
  })
  assert.deepEqual([wrong.status, wrong.json.code], [502, 'provider_error'])
  const added = await ann.post('/web/accounts/caldav', {
    address: 'ann@example.test',
    login: 'ann',
    password: 'ann-dav-secret',
    url: dav.url,
  })
  assert.equal(added.status, 200, added.text)
  assert.deepEqual(
    [added.json.provider, added.json.has_mail, added.json.has_calendar, added.json.default],
    ['caldav', false, true, false],
  )
  assert.deepEqual((await ann.post(`/web/accounts/${added.json.id}/test`)).json, {
    works: true,
    tried: ['caldav'],
  })
  assert.equal(
    (await ann.post(`/web/accounts/${added.json.id}`, { has_calendar: false })).status,
    400,
  )
  assert.equal((await ann.post(`/web/accounts/${added.json.id}`, { default: true })).status, 400)
  assert.equal((await remove(ann, added.json.id)).status, 200)
})

test('an account is inaccessible to colleagues, other organizations, keys and other sites', {
  skip,
}, async () => {
  const { id } = (await addMail(ann, 'ann', 'ann-secret-ä1')).json
  const paths = ['', '/test', '/disable', '/enable', '/remove', '/password'].map(
    (end) => `/web/accounts/${id}${end}`,
  )
  for (const who of [bob, eve]) {
    for (const path of paths) {
      const got = await who.post(path, path.endsWith('/password') ? { password: 'x' } : {})
      assert.deepEqual([got.status, got.json.code], [404, 'not_found'], path)
    }
    assert.deepEqual(await listOf(who), [])
    assert.equal((await who.post('/web/accounts/google/start', { account_id: id })).status, 404)
  }
  const { key } = await served.keyFor(served.ann, { adminGrant: true })
  for (const path of paths)
    assert.equal(
      (await served.ask('POST', path, { key, body: {}, headers: { origin: served.app.baseUrl } }))
        .status,
      401,
      path,
    )
  assert.equal((await served.ask('GET', '/web/accounts', { key })).status, 401)
  assert.equal(
    (
      await served.ask('POST', '/web/call/add_imap_account', {
        key,
        body: {},
        headers: { origin: served.app.baseUrl },
      })
    ).status,
    401,
  )
  assert.equal(
    (await ann.post('/web/call/add_imap_account', {})).status,
    404,
    'it is not an operation',
  )
  assert.equal(
    (await ann.post(`/web/accounts/${id}/disable`, {}, { 'sec-fetch-site': 'cross-site' })).json
      .code,
    'csrf',
  )
  served.clock.pass(16 * minute)
  assert.equal((await remove(ann, id)).json.code, 'password_required')
  assert.equal((await addMail(ann, 'bob', 'bob-secret-2')).json.code, 'password_required')
  await enterPasswords()
  const disabled = await ann.post(`/web/accounts/${id}/disable`)
  assert.equal(disabled.json.status, 'disabled')
  const call = served.app.store.raw.write
    .prepare("SELECT id FROM calls WHERE tool = 'disable_account' AND status = 'ok'")
    .pluck()
    .get() as string
  const undone = await served.ask('POST', `/api/api-calls/${call}/undo`, { key, body: {} })
  assert.notDeepEqual(
    [undone.status, undone.json.undone],
    [200, true],
    'a key does not switch it on again',
  )
  assert.equal(row(id)!.status, 'disabled')
  assert.equal((await remove(ann, id)).status, 200)
})

test('a Google account is connected by a consent with PKCE, with the scopes that its owner granted', {
  skip,
}, async () => {
  const path = await giveConsent(ann, 'ann@example.test', {
    change: (url) => assert.equal(url.searchParams.get('code_challenge_method'), 'S256'),
  })
  const page = await followRedirect(ann, `${path}&scope=x&authuser=0&prompt=consent`)
  assert.equal(page.status, 200, page.text)
  assert.match(page.text, /ann@example\.test is connected: mail, calendars, files/)
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
  const [connectedAccount] = await listOf(ann)
  assert.deepEqual(
    [connectedAccount!.address, connectedAccount!.status],
    ['ann@example.test', 'syncing'],
  )
  const login = await signInto(requestAs(served.ann), row(connectedAccount!.id)!)
  assert.ok('accessToken' in login)
  secrets.add(login.accessToken)
  const tried = (await ann.post(`/web/accounts/${connectedAccount!.id}/test`)).json
  assert.match(JSON.stringify(tried), /imap|calendar server/i)
  const removal = await remove(ann, connectedAccount!.id)
  assert.deepEqual([removal.status, removal.json.consent_ended], [200, true])

  const partial = await followRedirect(
    ann,
    await giveConsent(ann, 'ann@example.test', {
      change: (url) => url.searchParams.set('scope', 'openid email https://mail.google.com/'),
    }),
  )
  assert.match(partial.text, /connected: mail\./)
  const [only] = await listOf(ann)
  assert.equal(
    (await ann.post(`/web/accounts/${only!.id}`, { has_drive: true })).json.code,
    'invalid_argument',
    'the owner did not consent to it',
  )
  const more = await followRedirect(
    ann,
    await giveConsent(ann, 'ann@example.test', { more: { account_id: only!.id } }),
  )
  assert.match(more.text, /mail, calendars, files/)
  const other = await followRedirect(
    ann,
    await giveConsent(ann, 'bob@example.test', { more: { account_id: only!.id } }),
  )
  assert.match(
    other.text,
    /You signed in as bob@example\.test, and this account is ann@example\.test/,
  )
  assert.equal((await listOf(ann)).length, 1)
  assert.equal((await remove(ann, only!.id)).status, 200)
  const none = await followRedirect(
    ann,
    await giveConsent(ann, 'ann@example.test', {
      change: (url) => url.searchParams.set('scope', 'openid email'),
    }),
  )
  assert.match(none.text, /You did not allow mail, calendar or files/)
  assert.deepEqual(await listOf(ann), [])
})

test('a consent is valid once, in time, and for the person who started it in that session', {
  skip,
}, async () => {
  const path = await giveConsent(ann, 'ann@example.test')
  const assertRefused = async (
    who: Browser,
    at: string,
    words = /was not started here, or has expired/,
  ) => {
    const got = await followRedirect(who, at)
    assert.equal(got.status, 400)
    assert.match(got.text, words)
  }
  await assertRefused(bob, path)
  await assertRefused(await new Browser(served).signIn('ann@acme.test'), path)
  await assertRefused(ann, path.replace(/state=[^&]+/, 'state=someotherstate'))
  await assertRefused(ann, path.replace(/state=[^&]+&?/, ''))
  await assertRefused(new Browser(served), path, /You are not signed in/)
  assert.match(
    (await followRedirect(ann, path, { ...fromGoogle, 'sec-fetch-dest': 'image' })).text,
    /csrf/,
  )
  const state = new URL(path, 'http://x').searchParams.get('state')!
  assert.equal((await followRedirect(ann, path)).status, 200, 'attempts by others do not use it up')
  await assertRefused(ann, path)
  const [made] = await listOf(ann)
  const foreign = await giveConsent(bob, 'bob@example.test')
  await assertRefused(ann, foreign.replace(/state=[^&]+/, `state=${state}`))
  const mixed = await giveConsent(ann, 'carol@example.test')
  const bobsCode = new URL(foreign, 'http://x').searchParams.get('code')!
  await assertRefused(
    ann,
    mixed.replace(/code=[^&]+/, `code=${bobsCode}`),
    /did not accept the consent \(invalid_grant\)/,
  )
  const late = await giveConsent(bob, 'bob@example.test')
  served.clock.pass(15 * minute + 1)
  await assertRefused(bob, late)
  await enterPasswords()
  await assertRefused(
    ann,
    (await giveConsent(ann, 'carol@example.test')).replace(/code=[^&]+/, 'error=access_denied'),
    /You did not agree/,
  )
  assert.deepEqual(
    (await listOf(ann)).map((item) => item.id),
    [made!.id],
  )
  assert.equal((await remove(ann, made!.id)).status, 200)
})

test('an expired token is refreshed once for all callers; one refused by a server is replaced', {
  skip,
}, async () => {
  await followRedirect(ann, await giveConsent(ann, 'ann@example.test'))
  const { id } = (await listOf(ann))[0]!
  const ask = (refused?: string) =>
    signInto(requestAs(served.ann), row(id)!, refused === undefined ? {} : { refused }) as Promise<{
      accessToken: string
    }>
  const first = (await ask()).accessToken
  assert.equal((await ask()).accessToken, first)
  served.clock.pass(hour)
  const { '/token': callsBefore } = await control('calls')
  const three = await Promise.all([ask(), ask(), ask()])
  const { '/token': callsAfter } = await control('calls')
  assert.deepEqual(
    [callsAfter! - callsBefore!, new Set(three.map((item) => item.accessToken)).size],
    [1, 1],
  )
  assert.notEqual(three[0].accessToken, first)
  const again = await Promise.all([ask(three[0].accessToken), ask(three[0].accessToken)])
  assert.notEqual(again[0].accessToken, three[0].accessToken)
  assert.deepEqual(
    [
      (await control('calls'))['/token']! - callsAfter!,
      again[1].accessToken === again[0].accessToken,
    ],
    [1, true],
  )
  for (const name of [first, three[0].accessToken, again[0].accessToken]) secrets.add(name)

  await control('fail?error=temporarily_unavailable&status=503')
  await assert.rejects(
    ask(again[0].accessToken),
    (error: Error) => !(error instanceof NeedsSignIn) && /503/.test(error.message),
  )
  assert.equal(row(id)!.status, 'syncing', 'a server that is down does not disable the account')
  await control('fail?error=invalid_grant')
  const outcomes = await Promise.allSettled([ask(again[0].accessToken), ask(again[0].accessToken)])
  await control('fail')
  assert.ok(outcomes.every((end) => end.status === 'rejected' && end.reason instanceof NeedsSignIn))
  assert.equal(row(id)!.status, 'reauth_required')
  assert.match(row(id)!.problem!, /withdrawn|password was changed/)
  const notificationCount = served.app.store.raw.write
    .prepare("SELECT count(*) FROM notifications WHERE item_id = ? AND kind = 'security'")
    .pluck()
    .get(id)
  assert.equal(notificationCount, 1, 'the owner is notified once')
  const events = served.app.store.raw.write
    .prepare(
      "SELECT for_person_id FROM changes WHERE item_id = ? AND events_json LIKE '%email_account.reauth_required%'",
    )
    .all(id)
  assert.deepEqual(events, [{ for_person_id: served.ann.id }])
  await reportSync(requestAs(served.ann), id, { service: 'mail', ok: true })
  assert.equal(row(id)!.status, 'reauth_required', 'only a sign-in clears this status')
  await enterPasswords()
  await followRedirect(
    ann,
    await giveConsent(ann, 'ann@example.test', { more: { account_id: id } }),
  )
  assert.deepEqual([row(id)!.status, row(id)!.problem], ['active', null])

  served.clock.pass(7 * dayLong)
  await Promise.all(
    [ann, bob, eve].map((browser, i) =>
      browser.signIn(['ann@acme.test', 'bob@acme.test', 'eve@other.test'][i]!),
    ),
  )
  await control('fail?error=invalid_grant')
  await assert.rejects(ask(), NeedsSignIn)
  await control('fail')
  assert.match(row(id)!.problem!, /a week after it was given.*“Testing”/)
  assert.equal((await remove(ann, id)).status, 200)
})

test('sync reports of an account determine its status and message', { skip }, async () => {
  const { id } = (await addMail(bob, 'bob', 'bob-secret-2')).json
  const state = () => [row(id)!.status, row(id)!.problem]
  const report = (outcome: Parameters<typeof reportSync>[2]) =>
    reportSync(requestAs(served.bob), id, outcome)
  assert.deepEqual(state(), ['syncing', null])
  await report({ service: 'mail', ok: true, syncedBackTo: '2026-01-02' })
  assert.deepEqual(
    [...state(), row(id)!.synced_back_to, row(id)!.last_sync_at],
    ['active', null, '2026-01-02', served.clock.now()],
  )
  const { revision } = row(id)!
  await report({ service: 'mail', ok: true })
  assert.equal(row(id)!.revision, revision, 'a successful sync does not raise the revision')
  await report({ service: 'mail', ok: false, problem: 'The server does not answer.' })
  assert.deepEqual(state(), ['degraded', 'The server does not answer.'])
  await report({ service: 'mail', ok: true })
  assert.deepEqual(state(), ['active', null])
  await report({
    service: 'mail',
    ok: false,
    problem: 'The password of last week was refused.',
    needsSignIn: true,
    signedInAt: row(id)!.signed_in_at - 1,
  })
  assert.equal(
    row(id)!.status,
    'active',
    'a sync that began before the last sign-in does not invalidate the new password',
  )
  await report({
    service: 'mail',
    ok: false,
    problem: 'The server refused the password.',
    needsSignIn: true,
  })
  assert.deepEqual(state(), ['reauth_required', 'The server refused the password.'])
  assert.equal(
    (await bob.post(`/web/accounts/${id}/password`, { password: 'wrong' })).json.code,
    'provider_error',
  )
  assert.equal(row(id)!.status, 'reauth_required')
  assert.equal(
    (await bob.post(`/web/accounts/${id}/password`, { password: 'bob-secret-2' })).json.status,
    'active',
  )
  await bob.post(`/web/accounts/${id}/disable`)
  await report({ service: 'mail', ok: false, problem: 'Late news.', needsSignIn: true })
  assert.deepEqual(state(), ['disabled', null])
  assert.equal((await bob.post(`/web/accounts/${id}/enable`)).json.status, 'active')
  const changed = await bob.post(`/web/accounts/${id}`, {
    display_name: 'Bob B.',
    signature_markdown: '*Bob*',
  })
  assert.deepEqual(
    [changed.json.display_name, changed.json.signature_markdown],
    ['Bob B.', '*Bob*'],
  )
  assert.equal((await remove(bob, id)).status, 200)
})

test('removing an account revokes the consent, hides it at once and erases its local data', {
  skip,
}, async () => {
  await followRedirect(ann, await giveConsent(ann, 'ann@example.test'))
  const { id } = (await listOf(ann))[0]!
  const account = row(id)!
  const { '/revoke': before = 0 } = await control('calls')
  assert.equal((await remove(ann, id)).json.consent_ended, true)
  assert.equal((await control('calls'))['/revoke'], before + 1)
  assert.deepEqual(await listOf(ann), [])
  assert.equal((await ann.post(`/web/accounts/${id}/enable`)).status, 404)
  assert.equal(
    served.app.store.raw.write
      .prepare('SELECT count(*) FROM secrets WHERE row_id = ?')
      .pluck()
      .get(id),
    0,
  )
  await assert.rejects(signInto(requestAs(served.ann), account), NeedsSignIn)
  await drain()
  assert.equal(row(id), undefined)
  await followRedirect(ann, await giveConsent(ann, 'ann@example.test'))
  const [next] = await listOf(ann)
  assert.equal((await remove(ann, next!.id)).status, 200, 'the same address again')
  await drain()
})

test('mail of a removed account is erased in chunks and dropped from search', {
  skip,
}, async () => {
  const { app } = served
  const account = await connectAccount(app, served.bob, { address: 'bob@elsewhere.test' })
  const count = (sql: string) => app.store.raw.write.prepare(sql).pluck().get() as number
  const others = count('SELECT count(*) FROM search_docs')
  const emails = await asPerson(app, served.bob.id, 'plant', async (ctx) => {
    const at = ctx.now
    const thread = {
      owner_id: ctx.actor.id,
      account_id: account.id,
      subject: 'Valves',
      subject_key: 'valves',
      participants_json: '[]',
      message_count: 130,
      unread_count: 0,
      first_message_at: at,
      last_message_at: at,
      in_inbox: 1,
      awaiting: 'none',
      snoozed_until_reply: 0,
    } as const
    const { id } = await ctx.add('mail_threads', thread)
    const item = {
      owner_id: ctx.actor.id,
      account_id: account.id,
      thread_id: id,
      place: 'inbox',
      references_json: '[]',
      from_email: 'eve@elsewhere.test',
      addresses_json: '{}',
      is_own: 0,
      is_bulk: 0,
      subject: 'Valves',
      snippet: 'quixotic',
      sent_at: at,
      received_at: at,
      size_bytes: 1,
      unread: 0,
      starred: 0,
      answered: 0,
      has_attachment: 0,
      delivery: 'received',
      body_state: 'ready',
    } as const
    const rows = []
    for (let i = 0; i < 130; i++)
      rows.push(await ctx.add('emails', { ...item, message_id: `<${i}@elsewhere.test>` }))
    return rows
  })
  const texts = emails.map(({ id }) => ({
    ref: `${id}:body`,
    container: account.id,
    item_id: id,
    item_type: 'email',
    at: 1,
    part: 'item' as const,
    title: 'Valves',
    body: 'quixotic',
  }))
  await app.store.writer.run(() =>
    app.search.addAll(app.store.write, served.bob.actor.org_id, texts),
  )
  assert.deepEqual(
    [count('SELECT count(*) FROM emails'), count('SELECT count(*) FROM search_docs')],
    [130, others + 130],
  )
  assert.equal((await remove(bob, account.id)).status, 200)
  assert.deepEqual(await listOf(bob), [])
  await drain()
  for (const table of ['emails', 'mail_threads', 'accounts'])
    assert.equal(
      count(
        `SELECT count(*) FROM ${table} WHERE ${table === 'accounts' ? 'id' : 'account_id'} = '${account.id}'`,
      ),
      0,
      table,
    )
  assert.deepEqual(
    [
      count('SELECT count(*) FROM search_docs'),
      count("SELECT count(*) FROM search_fts WHERE search_fts MATCH 'quixotic'"),
    ],
    [others, 0],
  )
  assert.equal(
    count(
      `SELECT count(*) FROM changes WHERE item_type = 'email' AND images_json IS NOT NULL AND item_id IN (${emails.map((email) => `'${email.id}'`).join(', ')})`,
    ),
    0,
    'no undo data remains either',
  )
})

test('passwords and tokens appear nowhere: not in the database, the logs or the call log', {
  skip,
}, async () => {
  const { id } = (await addMail(ann, 'ann', 'ann-secret-ä1')).json
  await followRedirect(ann, await giveConsent(ann, 'ann@example.test'))
  const google = (await listOf(ann)).find((item) => item.id !== id)!
  secrets.add(
    (await served.app.secrets.read(served.app.store.read, {
      org_id: served.ann.actor.org_id,
      table: 'accounts',
      row_id: google.id,
      column: 'refresh_token',
    }))!,
  )
  secrets.add(
    ((await signInto(requestAs(served.ann), row(google.id)!)) as { accessToken: string })
      .accessToken,
  )
  const texts = [
    ...logged,
    ...readdirSync(served.dataDir, { recursive: true, withFileTypes: true })
      .filter((dirent) => dirent.isFile())
      .map((dirent) => readFileSync(join(dirent.parentPath, dirent.name)).toString('latin1')),
  ]
  assert.ok(
    texts.some((text) => text.includes('ann@example.test')),
    'the database was read',
  )
  for (const secret of secrets)
    for (const form of [
      secret,
      Buffer.from(secret).toString('latin1'),
      Buffer.from(secret).toString('base64'),
    ])
      assert.deepEqual(
        texts.filter((text) => text.includes(form)).map((text) => text.slice(0, 80)),
        [],
        secret.slice(0, 4),
      )
  for (const item of [id, google.id]) await remove(ann, item)
})

test('attempts against external servers are rate-limited', async (t) => {
  const limited = await serveWorkspace({ settings: { limits: true } })
  t.after(() => limited.close())
  await givePasswords(limited, limited.ann)
  const browser = await new Browser(limited).signIn('ann@acme.test')
  const codes = []
  for (let i = 0; i < 22; i++)
    codes.push(
      (
        await browser.post('/web/accounts/caldav', {
          address: 'ann@example.test',
          password: 'guess',
          url: 'https://10.0.0.1/',
        })
      ).json.code,
    )
  assert.deepEqual([...new Set(codes)], ['blocked_address', 'rate_limited'])
  assert.equal(codes.indexOf('rate_limited'), 20)
})
