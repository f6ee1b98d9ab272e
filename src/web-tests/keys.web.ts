import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../kernel/ids.ts'
import type { Someone } from '../testing/harness.ts'
import { button, connectAssistant, dialog, keysPath, statusOf } from './key-steps.ts'
import { noChromium, openWeb, password, type Visitor, type Web } from './setup.ts'

// Tests the settings that control access for people and their assistants.

const skip = noChromium
const newPassword = 'quiet river nine lantern'
const hebrewName = 'מרים כהן'
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

/** Posts like the web app, with the cookies of a visitor. */
async function post(visitor: Visitor, path: string, data: object): Promise<any> {
  const response = await visitor.context.request.post(web.url + path, {
    data,
    headers: { origin: web.url, 'sec-fetch-site': 'same-origin' },
  })
  assert.ok(response.ok(), await response.text())
  return response.json()
}

const keysOf = (person: Someone) =>
  web.app.store.read
    .selectFrom('api_keys')
    .selectAll()
    .where('owner_id', '=', person.id)
    .orderBy('id', 'desc')
    .execute()

test('a key is created with limits, is shown once, and a server refusal loses no input', {
  skip,
}, async () => {
  const bob = await web.visit(web.bob)
  const { page } = bob
  await bob.go(keysPath)
  await page.getByText('No keys yet').waitFor()
  await bob.checkPage('keys-empty')
  await button(page, 'Generate Key').click()
  const form = dialog(page, 'Generate a key')
  await button(form, 'Generate').click()
  await form.getByText('Give it a name.').waitFor()
  await form.getByLabel('Name').fill('k'.repeat(200))
  await form.getByLabel('Ends', { exact: true }).selectOption('30')
  await form.getByLabel('It may only read').check()
  await form.getByLabel('Ask me before it sends anything outside').check()
  await form.getByText('Only some').click()
  await button(form, 'Generate').click()
  await form.getByText('Choose at least one area.').waitFor()
  await form.getByLabel('Tasks', { exact: true }).selectOption('ro')
  await form.getByLabel('Chat', { exact: true }).selectOption('ro')
  await bob.checkPage('keys-generate')
  await button(form, 'Generate').click()
  await form.getByText(/1 to 100 characters/).waitFor()
  assert.deepEqual(
    [
      await form.getByLabel('Name').inputValue(),
      await form.getByLabel('Ends', { exact: true }).inputValue(),
      await form.getByLabel('Tasks', { exact: true }).inputValue(),
    ],
    ['k'.repeat(200), '30', 'ro'],
  )
  const name = 'k'.repeat(100)
  await form.getByLabel('Name').fill(name)
  await button(form, 'Generate').click()

  const keyDialog = dialog(page, `Your key “${name}”`)
  const key = (await keyDialog.getByRole('region', { name: 'The key' }).innerText()).trim()
  assert.deepEqual(
    [await statusOf(web.url, key, '/api/tasks'), await statusOf(web.url, key, '/api/projects')],
    [200, 403],
  )
  await page.keyboard.press('Escape')
  await keyDialog.getByText('This is shown only once.').waitFor()
  await bob.checkPage('keys-made')
  await keyDialog.getByRole('tab', { name: 'Cursor' }).click()
  const link = await keyDialog
    .getByRole('link', { name: 'Open Cursor and add it' })
    .getAttribute('href')
  assert.match(
    Buffer.from(new URL(link!).searchParams.get('config')!, 'base64').toString(),
    new RegExp(`Bearer ${key}`),
  )
  for (const program of [
    'Claude Desktop',
    'VS Code',
    'Windsurf',
    'Codex',
    'Gemini CLI',
    'Zed',
    'Any other',
  ]) {
    await keyDialog.getByRole('tab', { name: program }).click()
    await keyDialog.getByRole('tabpanel', { name: program }).getByRole('region').first().waitFor()
    assert.ok(!(await keyDialog.innerText()).includes('svc_YOUR_KEY'), program)
  }
  await button(keyDialog, 'I have stored it').click()
  await keyDialog.waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(key))
  const [row] = await keysOf(web.bob)
  assert.deepEqual(
    [
      row!.name,
      row!.read_only,
      row!.hold_outbound,
      row!.toolsets_json,
      Math.round((row!.expires_at! - row!.created_at) / 86_400_000),
    ],
    [name, 1, 1, '["tasks:ro","chat:ro"]', 30],
  )

  await page.getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('list', { name: 'Calls' }).getByText('list_tasks').waitFor()
  await bob.checkPage('key-detail-long-name')
  await bob.navigate(keysPath)
  await bob.checkPage('keys')
  bob.assertNoProblems()
})

test('an old key is replaced by one with the same limits, and then revoked', { skip }, async () => {
  const { id } = await web.keyFor(web.carol, {
    name: 'old laptop',
    readOnly: true,
    toolsets: ['tasks'],
    modules: web.app.catalogue.toolsets,
  })
  await web.app.store.writer.run(() =>
    web.app.store.write
      .updateTable('api_keys')
      .set({ created_at: web.clock.now() - 100 * 86_400_000 })
      .where('id', '=', id)
      .execute(),
  )
  const carol = await web.visit(web.carol)
  const { page } = carol
  await carol.go('/')
  await page.getByText('1 key is older than 90 days').waitFor()
  await carol.navigate(keysPath)
  await carol.checkPage('keys-old')
  await button(page, 'Rotate old laptop').click()
  const form = dialog(page, 'Replace “old laptop”')
  assert.equal(await form.getByLabel('It may only read').isChecked(), true)
  await button(form, 'Generate').click()
  await button(page, 'I have stored it').click()
  await button(dialog(page, 'Revoke the old key?'), 'Revoke the old key').click()
  await page.getByText('“old laptop” is revoked.').waitFor()
  const [newKey, oldKey] = await keysOf(web.carol)
  assert.deepEqual(
    [
      newKey!.read_only,
      newKey!.toolsets_json,
      newKey!.revoked_at,
      oldKey!.id,
      oldKey!.revoked_at !== null,
    ],
    [1, '["tasks"]', null, id, true],
  )
  carol.assertNoProblems()
})

test('an administrator sees and revokes keys of the organization; another organization sees none of them', {
  skip,
}, async () => {
  const { id, key } = await web.keyFor(web.bob, { name: 'the robot of bob' })
  const ann = await web.revisit(web.ann)
  await ann.navigate(keysPath)
  await ann.page.getByLabel('All keys of the organization').check()
  await ann.page.getByRole('link', { name: 'the robot of bob' }).waitFor()
  await ann.checkPage('keys-organization')
  const eve = await web.visit(web.eve)
  await eve.go(keysPath)
  await eve.page.getByLabel('All keys of the organization').check()
  await eve.page.getByLabel('Show ended keys').check()
  await eve.page.getByText('No keys yet').waitFor()
  await eve.page.goto(`${web.url}${keysPath}/${id}`)
  await eve.page.getByText('Key not found').waitFor()
  await button(ann.page, 'Revoke the robot of bob').click()
  await button(dialog(ann.page, 'Revoke this key?'), 'Revoke').click()
  await ann.page.getByText('“the robot of bob” is revoked.').waitFor()
  assert.equal(await statusOf(web.url, key), 401)
  ann.assertNoProblems()
  eve.assertNoProblems()
})

test('the page of a key shows its calls live, and releases it when it is held', {
  skip,
}, async () => {
  const { id, key } = await web.keyFor(web.ann, { name: 'busy' })
  const client = await connectAssistant({ url: `${web.url}/mcp`, key })
  await client.callTool({ name: 'list_tasks', arguments: {} })
  const ann = await web.revisit(web.ann)
  await ann.navigate(`${keysPath}/${id}`)
  const calls = ann.page.getByRole('list', { name: 'Calls' })
  await calls.getByText('list_tasks').waitFor()
  await client.callTool({ name: 'list_labels', arguments: {} })
  await calls.getByText('list_labels').waitFor()
  const now = web.clock.now()
  await web.app.store.writer.run(() =>
    web.app.store.write
      .insertInto('abuse_findings')
      .values({
        id: newId('abf', now),
        org_id: web.ann.actor.org_id,
        owner_id: web.ann.id,
        key_id: id,
        rule: 'mass-read',
        hold: 'all',
        detail_json: '{}',
        occurrences: 1,
        subject: null,
        first_at: now,
        last_at: now,
        until_at: null,
        released_at: null,
        released_by: null,
      })
      .execute(),
  )
  await ann.go(`${keysPath}/${id}`)
  await ann.page.getByText('Stopped by abuse rules').waitFor()
  await ann.checkPage('key-detail')
  await button(ann.page, 'Release').click()
  await button(dialog(ann.page, 'Release this key?'), 'Release').click()
  await ann.page.getByText('The key was released.').waitFor()
  await ann.page.getByText('Stopped by abuse rules').waitFor({ state: 'detached' })
  ann.assertNoProblems()
})

test('a wrong password is reported, too many attempts with the waiting time, and the right one returns to the page', {
  skip,
}, async () => {
  await web.person('Dora')
  const dora = await web.visit()
  const { page } = dora
  await dora.go(`/sign-in?to=${encodeURIComponent(keysPath)}`)
  await dora.checkPage('sign-in')
  await page.getByLabel('Email address').fill('dora@acme.test')
  for (let attempt = 0; attempt < 5; attempt++) {
    await page.getByRole('textbox', { name: 'Password' }).fill(`wrong wrong wrong ${attempt}`)
    await Promise.all([page.waitForResponse('**/web/sign-in'), button(page, 'Sign in').click()])
    await page.waitForFunction(
      () => !document.querySelector('button[type=submit]')!.hasAttribute('data-loading'),
    )
    await page.getByRole('alert').getByText('The address or the password is wrong.').waitFor()
  }
  await button(page, 'Sign in').click()
  await page
    .getByRole('alert')
    .getByText(/^Too many attempts\. Try again in \d+ seconds\.$/)
    .first()
    .waitFor()
  assert.equal(await button(page, 'Sign in').isDisabled(), true)
  await dora.checkPage('sign-in-throttled')
  const bob = await web.visit()
  await bob.go(`/sign-in?to=${encodeURIComponent(keysPath)}`)
  await bob.page.getByLabel('Email address').fill('bob@acme.test')
  await bob.page.getByRole('textbox', { name: 'Password' }).fill(password)
  await bob.page.keyboard.press('Enter')
  await bob.page.waitForURL(`**${keysPath}`)
  await bob.page.goto(`${web.url}/sign-in?to=https://elsewhere.example/`)
  await bob.page.getByRole('heading', { name: 'Hello, Bob' }).waitFor()
  dora.assertNoProblems()
  bob.assertNoProblems()
})

test('an invited person views the invitation, joins and is signed in; an invalid link is reported', {
  skip,
}, async () => {
  const ann = await web.revisit(web.ann)
  const { link } = await post(ann, '/web/invitations', {
    email: 'miriam@acme.test',
    role: 'member',
  })
  const guest = await web.visit()
  const { page } = guest
  await page.goto(link)
  await guest.waitUntilSettled()
  await page.getByText('Ann invites you to work here.').waitFor()
  await guest.checkPage('invite')
  await page.getByLabel('Your name').fill(hebrewName)
  await page.getByRole('textbox', { name: 'Password' }).fill('password1234')
  await button(page, 'Join').click()
  await page.locator('.mantine-PasswordInput-error').waitFor()
  assert.equal(await page.getByLabel('Your name').inputValue(), hebrewName)
  await page.getByRole('textbox', { name: 'Password' }).fill(newPassword)
  await button(page, 'Join').click()
  await page.getByRole('heading', { name: `Hello, ${hebrewName}` }).waitFor()
  const row = await web.app.store.read
    .selectFrom('users')
    .selectAll()
    .where('email', '=', 'miriam@acme.test')
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    [row.display_name, row.role, row.org_id, row.timezone],
    [hebrewName, 'member', web.ann.actor.org_id, 'Europe/Berlin'],
  )
  const secondGuest = await web.visit()
  await secondGuest.page.goto(link)
  await secondGuest.page.getByRole('alert').waitFor()
  await secondGuest.checkPage('invite-used')
  guest.assertNoProblems()
  secondGuest.assertNoProblems()
})

test('changing the password ends sessions of other browsers, but not the current one', {
  skip,
}, async () => {
  const [thisBrowser, otherBrowser] = [await web.visit(web.carol), await web.visit(web.carol)]
  await otherBrowser.go('/settings/security')
  await thisBrowser.go('/settings/security')
  const { page } = thisBrowser
  await page.getByText('This browser').waitFor()
  await thisBrowser.checkPage('security')
  const form = page.locator('form')
  await form.getByLabel('Current password').fill('wrong wrong wrong')
  await form.getByLabel('New password').fill(newPassword)
  await button(form, 'Change the password').click()
  await form.getByText('The password is wrong.').waitFor()
  await form.getByLabel('Current password').fill(password)
  await button(form, 'Change the password').click()
  await page.getByText('Your password is changed.').waitFor()
  await page.getByText('You are not signed in anywhere else.').waitFor()
  await otherBrowser.page.reload()
  await otherBrowser.page.waitForURL('**/sign-in?to=**')
  thisBrowser.assertNoProblems()
  otherBrowser.assertNoProblems()
})

test('a link sets a new password, once', { skip }, async () => {
  const ann = await web.revisit(web.ann)
  const dora = await web.app.store.read
    .selectFrom('users')
    .selectAll()
    .where('email', '=', 'dora@acme.test')
    .executeTakeFirstOrThrow()
  const { link } = await post(ann, `/web/people/${dora.id}/reset-link`, {})
  const { page, ...visitor } = await web
    .visit()
    .then(
      async (newVisitor) => (
        await newVisitor.page.goto(link),
        await newVisitor.waitUntilSettled(),
        await newVisitor.checkPage('reset'),
        newVisitor
      ),
    )
  await page.getByRole('textbox', { name: 'New password' }).fill(newPassword)
  await button(page, 'Set the password').click()
  await page.getByText('Your new password is set.').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email address').fill('dora@acme.test')
  await page.getByRole('textbox', { name: 'Password' }).fill(newPassword)
  await button(page, 'Sign in').click()
  await page.getByRole('heading', { name: 'Hello, Dora' }).waitFor()
  assert.deepEqual(visitor.problems, [])
})

test('a passkey is added, renamed, used to sign in and to confirm, and removed', {
  skip,
}, async () => {
  const bob = await web.visit(web.bob)
  const { page } = bob
  const devtools = await bob.context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await bob.go('/settings/security')
  await button(page, 'Add a passkey').click()
  await dialog(page, 'Add a passkey').getByLabel('Name').fill('laptop')
  await button(dialog(page, 'Add a passkey'), 'Continue').click()
  await page.getByText('“laptop” was added.').waitFor()
  await button(page, 'Rename laptop').click()
  await dialog(page, 'Rename the passkey').getByLabel('Name').fill('my laptop')
  await button(dialog(page, 'Rename the passkey'), 'Save').click()
  await page.getByRole('list', { name: 'Passkeys' }).getByText('my laptop').waitFor()
  await bob.checkPage('security-passkey')

  await button(page, /Account of Bob/).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
  await button(page, 'Sign in with a passkey').click()
  await page.getByRole('heading', { name: 'Hello, Bob' }).waitFor()

  await bob.go('/settings/security')
  await button(page, 'Remove my laptop').click()
  await button(dialog(page, 'Remove this passkey?'), 'Remove').click()
  await page.getByText('You have no passkeys yet.').waitFor()
  assert.deepEqual(
    await web.app.store.read
      .selectFrom('passkeys')
      .select('id')
      .where('person_id', '=', web.bob.id)
      .execute(),
    [],
  )
  bob.assertNoProblems()
})

test('after a quarter of an hour creating a key asks for the password again, without losing input', {
  skip,
}, async () => {
  const ann = await web.revisit(web.ann)
  const { page } = ann
  await ann.navigate(keysPath)
  await button(page, 'Generate Key').click()
  await dialog(page, 'Generate a key').getByLabel('Name').fill('late')
  web.clock.wait(16 * 60_000)
  await button(dialog(page, 'Generate a key'), 'Generate').click()
  const confirmation = dialog(page, 'Confirm it is you')
  await confirmation.waitFor()
  await page.keyboard.press('Escape')
  await confirmation.waitFor({ state: 'detached' })
  assert.equal(await dialog(page, 'Generate a key').getByLabel('Name').inputValue(), 'late')
  await button(dialog(page, 'Generate a key'), 'Generate').click()
  await confirmation.getByRole('textbox', { name: 'Password' }).fill(password)
  await button(confirmation, 'Confirm').click()
  await dialog(page, 'Your key “late”').waitFor()
  ann.assertNoProblems()
})
