import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { Queue } from '../../jobs/queue.ts'
import { requirePerson, setStatus } from '../../identity/people.ts'
import { setPlan } from '../../limits/plan.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { dayLong, minute } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { startMailbox } from '../../testing/servers/mailbox.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser
let eve: Browser
before(async () => {
  served = await serveWorkspace({ settings: { rate_address: 0 } })
  await givePasswords(served, served.ann, served.bob, served.eve)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
  eve = await new Browser(served).signIn('eve@other.test')
})
after(() => served.close())

const secret = 'harbour quilt nine stone'
const tokenOf = (link: string) => /\/invite\/([\w-]{43})$/.exec(link)![1]!
const rows = <T = Record<string, any>>(sql: string, ...values: unknown[]) =>
  served.app.store.raw.read.prepare(sql).all(...values) as T[]

async function invite(
  more: object = {},
  who = ann,
): Promise<{ id: string; token: string; json: any }> {
  const got = await who.post('/web/invitations', { role: 'member', ...more })
  assert.equal(got.status, 201, got.text)
  return { id: got.json.id, token: tokenOf(got.json.link), json: got.json }
}

const accept = (token: string, more: object = {}, browser = new Browser(served)) =>
  browser.post('/web/invitations/accept', { token, name: 'Dora', password: secret, ...more })
const stateOf = async (id: string) =>
  (await ann.get('/web/invitations')).json.items.find((item: { id: string }) => item.id === id)

test('an administrator invites a person, who joins by the link and is signed in', async () => {
  const { id, token, json } = await invite({
    email: ' Dora@Acme.test ',
    role: 'guest',
    note: 'Welcome!',
  })
  assert.deepEqual(
    [json.state, json.email, json.role, json.mail],
    ['pending', 'dora@acme.test', 'guest', 'none'],
  )
  assert.equal(json.link, `http://workspace.test/invite/${token}`)
  assert.equal(Date.parse(json.expires_at) - served.clock.now(), 7 * dayLong)
  const seen = await new Browser(served).post('/web/invitations/look', { token })
  assert.deepEqual(seen.json, {
    organization: 'Acme',
    inviter: 'Ann',
    role: 'guest',
    email: 'dora@acme.test',
    note: 'Welcome!',
    expires_at: json.expires_at,
  })

  const dora = new Browser(served)
  const got = await accept(token, { timezone: 'Asia/Tokyo' }, dora)
  assert.equal(got.status, 201, got.text)
  assert.deepEqual(
    [
      got.json.person.name,
      got.json.person.email,
      got.json.person.role,
      got.json.person.timezone,
      got.json.organization.name,
    ],
    ['Dora', 'dora@acme.test', 'guest', 'Asia/Tokyo', 'Acme'],
  )
  assert.equal((await dora.post('/web/call/get_me')).json.person.id, got.json.person.id)
  assert.equal(
    (await new Browser(served).post('/web/sign-in', { email: 'dora@acme.test', password: secret }))
      .status,
    200,
  )
  const used = await stateOf(id)
  assert.deepEqual(
    [used.state, used.used_by.id, used.created_by.name],
    ['used', got.json.person.id, 'Ann'],
  )
  assert.deepEqual(
    rows(
      "SELECT tool, actor_id, request_id FROM calls WHERE actor_id = ? AND tool IN ('accept_invitation', 'sign_in') ORDER BY seq LIMIT 2",
      got.json.person.id,
    ).map((row) => row.tool),
    ['accept_invitation', 'sign_in'],
  )
  assert.match(
    rows("SELECT text FROM notifications WHERE person_id = ? AND kind = 'security'", served.ann.id)
      .map((row) => row.text)
      .join(),
    /Dora accepted your invitation/,
  )
})

test('the token of a link appears only in the one response', async () => {
  const { token } = await invite({ email: 'quiet@acme.test' })
  await new Browser(served).post('/web/invitations/look', { token })
  assert.equal((await ann.get('/web/invitations')).text.includes(token), false)
  for (const { name } of rows<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_%'",
  ))
    assert.equal(JSON.stringify(rows(`SELECT * FROM "${name}"`)).includes(token), false, name)
})

test('a name with lookalike letters carries a note for the inviter', async () => {
  const { id, token } = await invite({ email: 'lookalike@acme.test' })
  assert.equal((await accept(token, { name: '\u0410nn' })).status, 201)
  const { used_by } = await stateOf(id)
  assert.equal(
    used_by.name_note,
    'This name mixes Latin and Cyrillic letters: it may look like the name of another person.',
  )
  assert.match(
    rows("SELECT text FROM notifications WHERE person_id = ? AND kind = 'security'", served.ann.id)
      .map((row) => row.text)
      .join(),
    /\u0410nn \(lookalike@acme\.test\) accepted your invitation\. This name mixes Latin and Cyrillic/,
  )
})

test('an invitation is used once, however many concurrent attempts there are', async () => {
  const { token } = await invite()
  const all = await Promise.all(
    ['one', 'two', 'three'].map((name) => accept(token, { name, email: `${name}@acme.test` })),
  )
  assert.deepEqual(all.map((testResponse) => testResponse.status).sort(), [201, 409, 409])
  assert.equal(
    rows(
      "SELECT id FROM users WHERE email IN ('one@acme.test', 'two@acme.test', 'three@acme.test')",
    ).length,
    1,
  )
  const again = await new Browser(served).post('/web/invitations/look', { token })
  assert.deepEqual([again.status, again.json.state], [409, 'used'])
  assert.match(again.json.message, /was used already/)
})

test('a wrong, revoked or expired link is reported and creates no user', async () => {
  const before = rows('SELECT count(*) AS n FROM users')[0]!.n
  for (const token of ['x', 'a'.repeat(43)])
    assert.deepEqual(
      [
        (await accept(token, { email: 'w@acme.test' })).status,
        (await new Browser(served).post('/web/invitations/look', { token })).json.code,
      ],
      [404, 'not_found'],
    )
  const revoked = await invite()
  assert.equal((await ann.post(`/web/invitations/${revoked.id}/revoke`)).json.state, 'revoked')
  assert.equal((await ann.post(`/web/invitations/${revoked.id}/revoke`)).status, 200, 'again')
  assert.match(
    (await accept(revoked.token, { email: 'w@acme.test' })).json.message,
    /was withdrawn/,
  )
  const expired = await invite()
  served.clock.pass(7 * dayLong)
  const late = await accept(expired.token, { email: 'w@acme.test' })
  assert.deepEqual([late.status, late.json.state], [409, 'expired'])
  assert.equal(rows('SELECT count(*) AS n FROM users')[0]!.n, before)
  for (const [browser, email] of [
    [ann, 'ann@acme.test'],
    [bob, 'bob@acme.test'],
    [eve, 'eve@other.test'],
  ] as const)
    await browser.signIn(email)
  assert.equal((await stateOf(expired.id)).state, 'expired')
})

test('invalid fields are refused by name, and the link stays valid', async () => {
  const { token } = await invite({ email: 'fixed@acme.test' })
  const bad: [object, string][] = [
    [{ email: 'other@acme.test' }, 'email'],
    [{ name: ' ' }, 'name'],
    [{ password: 'short' }, 'password'],
    [{ timezone: 'Mars/Base' }, 'timezone'],
  ]
  for (const [more, field] of bad) {
    const got = await accept(token, more)
    assert.deepEqual([got.status, got.json.field], [400, field], JSON.stringify(more))
  }
  const unaddressed = await invite()
  assert.deepEqual(
    [
      (await accept(unaddressed.token)).json.field,
      (await accept(unaddressed.token, { email: 'no address' })).json.field,
    ],
    ['email', 'email'],
  )
  assert.equal((await accept(token)).status, 201)
})

test('an address already in use is refused without revealing its owner', async () => {
  const { token } = await invite()
  const answers = await Promise.all(
    ['eve@other.test', 'bob@acme.test'].map((email) => accept(token, { email })),
  )
  assert.deepEqual(
    answers.map((answer) => [answer.status, answer.json.code, answer.json.message]),
    Array(2).fill([409, 'conflict', answers[0]!.json.message]),
  )
  assert.doesNotMatch(answers[0]!.text, /Eve|Bob|Other|organization/)
  const conflict = await ann.post('/web/invitations', { role: 'member', email: 'BOB@acme.test' })
  assert.deepEqual(
    [conflict.status, conflict.json.field],
    [409, 'email'],
    'the administrator knows colleagues anyway',
  )
  assert.equal(
    (await ann.post('/web/invitations', { role: 'member', email: 'eve@other.test' })).status,
    201,
    'the answer reveals nothing about people elsewhere',
  )
})

test('members and strangers neither see nor create invitations, and organizations do not see each other’s', async () => {
  const { id } = await invite()
  for (const [who, status] of [
    [bob, 403],
    [new Browser(served), 401],
  ] as const) {
    assert.equal((await who.get('/web/invitations')).status, status)
    assert.equal((await who.post('/web/invitations', { role: 'admin' })).status, status)
    for (const what of ['revoke', 'send'])
      assert.equal((await who.post(`/web/invitations/${id}/${what}`)).status, status, what)
  }
  assert.equal((await eve.post(`/web/invitations/${id}/revoke`)).status, 404)
  assert.deepEqual((await eve.get('/web/invitations')).json.items, [])
  assert.equal((await stateOf(id)).state, 'pending')
  const bad = await ann.post('/web/invitations', { role: 'owner' })
  assert.deepEqual([bad.status, bad.json.field], [400, 'role'])
})

test('a list is paged and can be filtered by state', async () => {
  for (let i = 0; i < 3; i++) await invite()
  const seen: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { json } = await ann.get(
      `/web/invitations?state=pending&limit=2${cursor && `&cursor=${cursor}`}`,
    )
    seen.push(
      ...json.items.map((item: { id: string; state: string }) => `${item.state} ${item.id}`),
    )
    cursor = json.next_cursor
  }
  assert.ok(seen.length >= 3 && seen.every((name) => name.startsWith('pending')))
  assert.deepEqual(seen, [...new Set(seen)].sort().reverse())
  assert.equal((await ann.get('/web/invitations?cursor=x')).status, 400)
})

test('a demoted administrator’s open invitations are revoked', async () => {
  const formerAdmin = await served.person('Boss', { role: 'admin' })
  await givePasswords(served, formerAdmin)
  const { id, token } = await invite(
    { role: 'admin' },
    await new Browser(served).signIn('boss@acme.test'),
  )
  await setStatus(
    served.app.store,
    served.clock,
    await requirePerson(served.app.store, formerAdmin.id),
    'deactivated',
  )
  assert.equal((await stateOf(id)).state, 'revoked')
  assert.equal((await accept(token, { email: 'boss2@acme.test' })).status, 409)
})

test('an address that guesses links is blocked', async (t) => {
  const guarded = await serveWorkspace({
    settings: { limits: true, abuse_bad_credentials: 5, rate_address: 1000 },
  })
  t.after(() => guarded.close())
  guarded.clock.stop()
  const stranger = new Browser(guarded)
  const statuses: number[] = []
  for (let i = 0; i < 8; i++)
    statuses.push(
      (await stranger.post('/web/invitations/look', { token: String(i).repeat(43) })).status,
    )
  assert.deepEqual(statuses, [404, 404, 404, 404, 404, 429, 429, 429])
  assert.equal(
    (await stranger.post('/web/reset', { token: 'b'.repeat(43), password: secret })).status,
    429,
  )
})

test('when the plan has no free seats, invitations can be neither created nor accepted', async (t) => {
  const small = await serveWorkspace({
    settings: { rate_address: 0, plans: { unlimited: {}, small: { members: 4 } } },
  })
  t.after(() => small.close())
  const { app, clock } = small
  await givePasswords(small, small.ann)
  const admin = await new Browser(small).signIn('ann@acme.test')
  await setPlan(app.store, clock, app.settings.plans, {
    org: small.ann.actor.org_id,
    plan: 'small',
  })
  const links = await Promise.all(
    [1, 2].map(async () =>
      tokenOf((await admin.post('/web/invitations', { role: 'member' })).json.link),
    ),
  )
  const join = (i: number) =>
    new Browser(small).post('/web/invitations/accept', {
      token: links[i],
      name: 'New',
      email: `new${i}@acme.test`,
      password: secret,
    })
  assert.equal((await join(0)).status, 201)
  const full = await join(1)
  assert.deepEqual([full.status, full.json.code], [429, 'plan_exceeded'])
  assert.match(full.json.message, /Tell Ann/)
  assert.equal(
    (await admin.post('/web/invitations', { role: 'member' })).json.code,
    'plan_exceeded',
  )
})

/** A workspace with a mail server that refuses on demand. */
async function withMailServer(t: TestContext, refuse: () => number | undefined) {
  const mailbox = await startMailbox({ refuse })
  t.after(() => mailbox.close())
  const workspace = await serveWorkspace({
    settings: {
      rate_address: 0,
      mail_server: mailbox.url,
      mail_from: 'workspace@acme.test',
      outbound_allow: mailbox.opening,
    },
  })
  t.after(() => workspace.close())
  await givePasswords(workspace, workspace.ann)
  const admin = await new Browser(workspace).signIn('ann@acme.test')
  const runJobs = () => new Queue(workspace.app, { random: () => 0 }).drain()
  const list = async () => (await admin.get('/web/invitations')).json
  return { workspace, admin, letters: mailbox.letters, settle: runJobs, list }
}

test('an invitation is mailed with a link of its own that works alongside the displayed one', async (t) => {
  const { workspace, admin, letters, settle, list } = await withMailServer(t, () => undefined)
  const { json } = await admin.post('/web/invitations', {
    role: 'member',
    email: 'nora@acme.test',
    note: '<b>Join</b> us',
  })
  const mailed = await admin.post(`/web/invitations/${json.id}/send`)
  assert.deepEqual([mailed.status, mailed.json.mail], [200, 'waiting'])
  assert.equal(
    (await admin.post(`/web/invitations/${json.id}/send`)).status,
    200,
    'while it waits, no second mail is queued',
  )
  await settle()
  const { items, can_mail } = await list()
  assert.deepEqual([can_mail, items[0].mail, letters.length], [true, 'sent', 1])
  const [letter] = letters
  assert.deepEqual(
    [letter!.from, letter!.to, letter!.headers.get('subject')],
    ['workspace@acme.test', ['nora@acme.test'], 'Ann invites you to Acme'],
  )
  const raw = letter!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  assert.match(raw, /<p>&#60;b&#62;Join|&lt;b&gt;Join/)
  const token = /http:\/\/workspace\.test\/invite\/([\w-]{43})/.exec(raw)![1]!
  assert.notEqual(token, tokenOf(json.link))
  const stranger = new Browser(workspace)
  for (const linkToken of [token, tokenOf(json.link)])
    assert.equal((await stranger.post('/web/invitations/look', { token: linkToken })).status, 200)
  assert.equal(
    (await stranger.post('/web/invitations/accept', { token, name: 'Nora', password: secret }))
      .status,
    201,
  )
  assert.equal(
    (await new Browser(workspace).post('/web/invitations/look', { token: tokenOf(json.link) })).json
      .state,
    'used',
  )
  assert.equal((await admin.post(`/web/invitations/${json.id}/send`)).status, 409)
})

test('a rejected mail shows the reason, a temporarily refused one is sent later, and neither leaves a link behind', async (t) => {
  const answers: (number | undefined)[] = [550, 450]
  const { workspace, admin, letters, settle, list } = await withMailServer(t, () => answers.shift())
  const { json } = await admin.post('/web/invitations', { role: 'member', email: 'nora@acme.test' })
  const links = () =>
    workspace.app.store.raw.read.prepare('SELECT count(*) FROM invitation_links').pluck().get()
  await admin.post(`/web/invitations/${json.id}/send`)
  await settle()
  const [refused] = (await list()).items
  assert.deepEqual([refused.mail, links(), letters.length], ['failed', 1, 0])
  assert.match(refused.mail_problem, /mail server did not accept it/)
  assert.equal((await admin.post(`/web/invitations/${json.id}/send`)).json.mail, 'waiting')
  await settle()
  assert.deepEqual([(await list()).items[0].mail, links()], ['waiting', 1])
  workspace.clock.pass(minute)
  await settle()
  const [sent] = (await list()).items
  assert.deepEqual(
    [sent.mail, sent.mail_problem, links(), letters.length],
    ['sent', undefined, 2, 1],
  )
})

test('an invitation revoked while its mail is queued is not sent, and without a mail server none is', async (t) => {
  const { admin, letters, settle } = await withMailServer(t, () => undefined)
  const { json } = await admin.post('/web/invitations', { role: 'member', email: 'nora@acme.test' })
  const unaddressed = await admin.post('/web/invitations', { role: 'member' })
  assert.match(
    (await admin.post(`/web/invitations/${unaddressed.json.id}/send`)).json.message,
    /has no address/,
  )
  await admin.post(`/web/invitations/${json.id}/send`)
  await admin.post(`/web/invitations/${json.id}/revoke`)
  await settle()
  assert.equal(letters.length, 0)
  const { id } = await invite({ email: 'nobody@acme.test' })
  const refused = await ann.post(`/web/invitations/${id}/send`)
  assert.deepEqual(
    [refused.status, refused.json.code, (await ann.get('/web/invitations')).json.can_mail],
    [409, 'not_connected', false],
  )
})
