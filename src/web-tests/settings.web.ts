import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { Queue } from '../jobs/queue.ts'
import { startTicks } from '../jobs/scheduler.ts'
import { startWatches } from '../jobs/watch-runner.ts'
import { closeSessions } from '../modules/email/sync/sessions.ts'
import type { Someone } from '../testing/harness.ts'
import { untilTrue } from '../testing/limits.ts'
import { noMail, startMail, type MailDaemon } from '../testing/servers/daemons.ts'
import { startReceiver, type Receiver } from '../testing/servers/receiver.ts'
import { noChromium, openWeb, password, type Visitor, type Web } from './setup.ts'

// Tests settings of people and administrators, in the browser and on the server.

const skip = noChromium
let web: Web
let receiver: Receiver
let mail: MailDaemon | undefined
let stopBackground = async () => {}

before(async () => {
  if (skip) return
  receiver = await startReceiver()
  const allowed = [receiver.opening]
  if (!noMail) {
    mail = await startMail(['--users', 'bob:bob-secret-2'])
    setDefaultCACertificates([...getCACertificates(), readFileSync(mail.ca, 'utf8')])
    allowed.push(...[mail.imap.tlsPort, mail.smtp.tlsPort].map((port) => `${mail!.host}:${port}`))
  }
  web = await openWeb(undefined, { outbound_allow: allowed.join(',') })
  stopBackground = runBackground()
})
after(async () => {
  await stopBackground()
  if (mail) closeSessions(web.app.outbound)
  await web?.close()
  await receiver?.close()
  await mail?.close()
})

/** Runs jobs, ticks and watches like a server, until the returned function is called. */
function runBackground(): () => Promise<void> {
  const queue = new Queue(web.app, { poll: 50, isOnlyServer: true })
  queue.start()
  const [endTicks, endWatches] = [startTicks(web.app), startWatches(web.app)]
  return async () => void (await Promise.all([endTicks(), endWatches(), queue.stop(2_000)]))
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first()
const waitForNotice = (page: Page, text: string | RegExp) =>
  page.getByRole('alert').filter({ hasText: text }).first().waitFor()
const queryRows = <T = Record<string, any>>(sql: string, ...values: unknown[]) =>
  web.app.store.raw.read.prepare(sql).all(...values) as T[]
const sectionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function openPage(person: Someone, path: string): Promise<Visitor> {
  const visitor = await web.revisit(person)
  await visitor.navigate(path)
  return visitor
}

test('a person is invited, joins, gets another role, and loses access at once when deactivated', {
  skip,
}, async () => {
  const ann = await openPage(web.ann, '/settings/people')
  const { page } = ann
  await button(page, 'Invite someone').click()
  await ann.checkPage('people-invite')
  await page.getByLabel('Email address').fill('nora@acme.test')
  await page.getByRole('radio', { name: 'Guest' }).check()
  await button(page, 'Create the invitation').click()
  const invitation = dialog(page, 'The invitation is ready')
  const link = await invitation.getByRole('region', { name: 'Link' }).innerText()
  assert.match(link, new RegExp(`^${web.url}/invite/`))
  await button(page, 'Done').click()
  await page.getByText('nora@acme.test').waitFor()
  await ann.checkPage('people')

  const nora = await web.visit()
  await nora.page.goto(link)
  await nora.waitUntilSettled()
  await nora.page.getByLabel('Your name').fill('Nora Quill')
  await nora.page.getByRole('textbox', { name: 'Password' }).fill(password)
  await button(nora.page, 'Join').click()
  await heading(nora.page, 'Hello, Nora').waitFor()
  const roleOf = () =>
    queryRows<{ role: string; status: string }>(
      "SELECT role, status FROM users WHERE email = 'nora@acme.test'",
    )
  assert.deepEqual(roleOf(), [{ role: 'guest', status: 'active' }])
  await nora.go('/settings/people')
  await heading(nora.page, 'This is for administrators').waitFor()
  await nora.checkPage('people-for-administrators')

  await ann.go('/settings/people')
  await button(page, 'Actions for Nora Quill').click()
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  await page.getByRole('radio', { name: 'Member' }).check()
  await ann.checkPage('people-role')
  await dialog(page, 'Role of Nora Quill').getByRole('button', { name: 'Change role' }).click()
  await waitForNotice(page, 'Nora Quill: Member.')
  assert.deepEqual(roleOf(), [{ role: 'member', status: 'active' }])

  await button(page, 'Actions for Nora Quill').click()
  await page.getByRole('menuitem', { name: 'Link for a new password' }).click()
  await button(page, 'Create the link').click()
  assert.match(
    await dialog(page, 'New password for Nora Quill')
      .getByRole('region', { name: 'Link' })
      .innerText(),
    new RegExp(`^${web.url}/reset/`),
  )
  await button(page, 'Done').click()

  await button(page, 'Actions for Nora Quill').click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await button(page, 'Deactivate').click()
  await waitForNotice(page, 'Nora Quill is deactivated.')
  assert.deepEqual(roleOf(), [{ role: 'member', status: 'deactivated' }])
  await nora.page.goto(`${web.url}/settings/profile`) // her page may have noticed by itself
  await nora.page.waitForURL('**/sign-in?to=**')
  ann.assertNoProblems()
  nora.assertNoProblems()
})

test('an invitation is withdrawn, and its link says so', { skip }, async () => {
  const ann = await openPage(web.ann, '/settings/people')
  const { page } = ann
  await button(page, 'Invite someone').click()
  await button(page, 'Create the invitation').click()
  const link = await dialog(page, 'The invitation is ready')
    .getByRole('region', { name: 'Link' })
    .innerText()
  await button(page, 'Done').click()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Anyone with the link' })
    .getByRole('button', { name: 'Withdraw' })
    .click()
  await dialog(page, 'Withdraw the invitation?').getByRole('button', { name: 'Withdraw' }).click()
  await waitForNotice(page, 'The invitation was withdrawn.')
  const lateVisitor = await web.visit()
  await lateVisitor.page.goto(link)
  await lateVisitor.page.getByText('withdrawn').first().waitFor()
  ann.assertNoProblems()
})

test('a webhook is created, and its deliveries are listed with responses', { skip }, async () => {
  const ann = await openPage(web.ann, '/settings/integrations/webhooks')
  const { page } = ann
  await button(page, 'New webhook').click()
  await page.getByLabel('Address').fill(`${receiver.url}/hook`)
  await field(page, 'Name').fill('Builds')
  await page.getByLabel('Find events').fill('project.created')
  await button(page, /^project /i).click()
  await page.getByRole('checkbox', { name: 'project.created' }).check()
  await ann.checkPage('webhook-new')
  await dialog(page, 'New webhook').getByRole('button', { name: 'New webhook' }).click()
  const secret = await dialog(page, 'The webhook is ready')
    .getByRole('region', { name: 'Signing secret' })
    .innerText()
  await button(page, 'Done').click()
  await page.getByRole('link', { name: 'Builds' }).click()
  await heading(page, 'Builds').waitFor()
  await page.getByText('No deliveries.').waitFor()

  await web.ann.call('create_project', { name: 'Heard of', key: 'HEARD' })
  const isDelivered = () =>
    queryRows("SELECT id FROM webhook_deliveries WHERE status = 'delivered'").length > 0
  await untilTrue(isDelivered, 'the webhook was not delivered')
  const [received] = receiver.received
  assert.ok(received, 'nothing was delivered')
  const payload = new Webhook(secret.trim()).verify(
    received.body,
    received.headers as Record<string, string>,
  ) as { event: string }
  assert.equal(payload.event, 'project.created')
  await ann.go(new URL(page.url()).pathname)
  const delivery = button(page, /^Delivered project\.created/)
  await delivery.click()
  await page.getByText('answered 200, 1 try').waitFor()
  await page.getByText('"event": "project.created"').waitFor()
  await ann.checkPage('webhook')

  await page.getByRole('switch', { name: 'Active' }).press(' ')
  await waitForNotice(page, 'The webhook is paused.')
  assert.deepEqual(queryRows('SELECT active FROM webhooks'), [{ active: 0 }])
  await field(page, 'Name').fill('Releases')
  await sectionOf(page, 'Its events').getByRole('button', { name: 'Save', exact: true }).click()
  await heading(page, 'Releases').waitFor()
  await sectionOf(page, 'Delete').getByRole('button', { name: 'Delete' }).click()
  await dialog(page, /^Delete the webhook/)
    .getByRole('button', { name: 'Delete' })
    .click()
  await heading(page, 'No webhooks yet').waitFor()
  await ann.checkPage('webhooks-empty')
  ann.assertNoProblems()
})

test('notification kinds and quiet hours are saved', { skip }, async () => {
  const bob = await openPage(web.bob, '/settings/notifications')
  const { page } = bob
  const comments = page.getByRole('checkbox', { name: 'Comments by mail' })
  assert.equal(await comments.isChecked(), false)
  await comments.click()
  await waitForNotice(page, 'Saved')
  await page.getByRole('switch', { name: 'Hold emails' }).press(' ')
  await page.getByLabel('From').fill('21:30')
  const saveResponse = page.waitForResponse('**/web/call/update_notification_preferences')
  await button(page, 'Save').click()
  await saveResponse
  await page.getByRole('radio', { name: 'Every week' }).click() // it changes once the server has it
  await page.waitForFunction(
    () => (document.querySelector('input[type=radio][value=weekly]') as HTMLInputElement).checked,
  )
  const preferences = await web.bob.call('get_notification_preferences', {})
  assert.deepEqual(
    [
      preferences.events.find((event: { kind: string }) => event.kind === 'comment').email,
      preferences.quiet_hours.from,
      preferences.quiet_hours.to,
      preferences.digest,
    ],
    [true, '21:30', '07:00', 'weekly'],
  )
  await bob.go('/settings/notifications')
  assert.deepEqual(
    [await comments.isChecked(), await page.getByLabel('From').inputValue()],
    [true, '21:30'],
  )
  await bob.checkPage('notifications')
  await page.getByRole('switch', { name: 'Hold emails' }).press(' ')
  await waitForNotice(page, 'Saved')
  await page.getByLabel('From').waitFor({ state: 'detached' })
  bob.assertNoProblems()
})

test('a profile is edited: name, hours, status and picture', { skip }, async () => {
  const bob = await openPage(web.bob, '/settings/profile')
  const { page } = bob
  const name = `Bob ${'x'.repeat(190)}`
  await field(page, 'Name').fill(name)
  await page.getByLabel('Title').fill('Engineer')
  await sectionOf(page, 'About you').getByRole('button', { name: 'Save' }).click()
  await waitForNotice(page, 'Your profile was saved.')
  await button(page, 'Remove hours 1 on Friday').click()
  await page.getByLabel('Monday from').fill('08:15')
  await sectionOf(page, 'Working hours').getByRole('button', { name: 'Save' }).click()
  await waitForNotice(page, 'Your working hours were saved.')
  await page.getByLabel('What you are up to').fill('Reading')
  await page.getByLabel('Availability').selectOption('Busy')
  await sectionOf(page, 'Status').getByRole('button', { name: 'Save' }).click()
  await waitForNotice(page, 'Your status was set.')
  await page.setInputFiles('input[type=file]', {
    name: 'me.png',
    mimeType: 'image/png',
    buffer: pixel,
  })
  await waitForNotice(page, 'The picture was changed.')
  await page.locator('img[src^="data:image/png;base64,"]').waitFor()
  const { person } = await web.bob.call('get_me', {})
  assert.deepEqual(
    [
      person.display_name,
      person.title,
      person.presence,
      person.working_hours.fri,
      person.working_hours.mon[0].from,
    ],
    [name, 'Engineer', { availability: 'busy', text: 'Reading' }, undefined, '08:15'],
  )
  assert.match(person.avatar_url, /\/files\//)
  await bob.checkPage('profile')
  bob.assertNoProblems()
})

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

test('saving the organization after a concurrent change shows that change, and loses nothing', {
  skip,
}, async () => {
  const first = await openPage(web.ann, '/settings/organization')
  const second = await openPage(web.ann, '/settings/organization')
  await first.page.getByLabel('Days in the trash').fill('45')
  await first.page.getByText('Not saved yet: Days in the trash.').waitFor()
  await field(second.page, 'Name').fill('Acme & Daughters')
  await second.page.getByRole('checkbox', { name: 'Friday' }).uncheck()
  await button(second.page, 'Save').click()
  await waitForNotice(second.page, 'The settings were saved.')

  await button(first.page, 'Save').click()
  const conflict = first.page.getByRole('alert').filter({ hasText: 'Someone else saved meanwhile' })
  await conflict.waitFor()
  assert.match(await conflict.innerText(), /Acme & Daughters/)
  await first.checkPage('organization-conflict')
  assert.equal(
    queryRows('SELECT trash_days FROM orgs WHERE id = ?', web.ann.actor.org_id)[0]!.trash_days,
    30,
  )
  await button(first.page, 'Keep my changes').click()
  await button(first.page, 'Save').click()
  await waitForNotice(first.page, 'The settings were saved.')
  const [savedOrg] = queryRows(
    'SELECT name, trash_days, work_week_json FROM orgs WHERE id = ?',
    web.ann.actor.org_id,
  )
  assert.deepEqual(
    { ...savedOrg },
    { name: 'Acme & Daughters', trash_days: 45, work_week_json: '[1,2,3,4]' },
  )
  await first.page.getByRole('link', { name: 'Acme & Daughters' }).waitFor()
  first.assertNoProblems()
  second.assertNoProblems()
})

test('holidays and stages are edited; invalid ones are reported in place, and no input is lost', {
  skip,
}, async () => {
  const ann = await openPage(web.ann, '/settings/organization')
  const { page } = ann
  const { deal_stages } = await web.ann.call('get_organization', {})
  const day = `${new Date().getFullYear() + 1}-05-01`
  await button(page, 'Add a holiday').click()
  await page.getByLabel('Date of holiday 1').fill(day)
  await page.getByLabel('Name of holiday 1').fill('First of May')
  await page.getByLabel('Name of stage 1').fill(deal_stages[1])
  await button(page, 'Save').click()
  await page.getByText('a stage is listed twice').first().waitFor()
  assert.equal(await page.getByLabel('Name of holiday 1').inputValue(), 'First of May')
  await page.getByLabel('Name of stage 1').fill('First contact')
  await button(page, 'Save').click()
  await waitForNotice(page, 'The settings were saved.')
  const updated = await web.ann.call('get_organization', {})
  assert.deepEqual(
    [updated.holidays, updated.deal_stages[0]],
    [[{ date: day, name: 'First of May' }], 'First contact'],
  )
  await ann.checkPage('organization')
  ann.assertNoProblems()
})

test('a team is created, led, changed and deleted; others can only read it', { skip }, async () => {
  const ann = await openPage(web.ann, '/settings/teams')
  const { page } = ann
  await button(page, 'New team').click()
  await field(page, 'Name').fill('Platform')
  await page.getByRole('combobox', { name: 'Members' }).click()
  await page.getByRole('option', { name: 'Carol' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Lead' }).click()
  await page.getByRole('option', { name: 'Carol' }).click()
  await button(page, 'Save').click()
  await waitForNotice(page, 'The team Platform was made.')
  const { items } = await web.ann.call('list_teams', {})
  assert.deepEqual(
    items.map((item: any) => [item.name, item.lead?.id]),
    [['Platform', web.carol.id]],
  )
  await ann.checkPage('teams')
  const bob = await openPage(web.bob, '/settings/teams')
  await bob.page.getByText('Platform').waitFor()
  assert.equal(await button(bob.page, 'Edit Platform').count(), 0)
  await button(page, 'Edit Platform').click()
  await field(page, 'Name').fill('Foundations')
  await button(page, 'Save').click()
  await waitForNotice(page, 'The team Foundations was saved.')
  await button(page, 'Delete Foundations').click()
  await dialog(page, 'Delete the team Foundations?').getByRole('button', { name: 'Delete' }).click()
  await heading(page, 'No teams yet').waitFor()
  assert.deepEqual((await web.ann.call('list_teams', {})).items, [])
  ann.assertNoProblems()
  bob.assertNoProblems()
})

test('usage shows the plan and calls, to a member only their own', {
  skip,
}, async () => {
  const { key } = await web.keyFor(web.bob, { name: 'laptop of bob' })
  for (let i = 0; i < 3; i++) await web.ask('GET', '/api/labels', { key })
  const ann = await openPage(web.ann, '/settings/usage')
  await ann.page.getByRole('rowheader', { name: /^laptop of bob/ }).waitFor()
  await ann.page.getByText('Plan: unlimited').waitFor()
  await button(ann.page, 'As a table').click()
  await ann.checkPage('usage')
  const carol = await openPage(web.carol, '/settings/usage')
  await carol.page.getByText('Plan: unlimited').waitFor()
  assert.equal(await carol.page.getByText('laptop of bob').count(), 0)
  ann.assertNoProblems()
  carol.assertNoProblems()
})

test('mail rules and templates are viewed, paused and deleted', { skip }, async () => {
  const rule = await web.carol.call('create_email_rule', {
    name: 'Invoices',
    conditions: { all: [{ field: 'subject', op: 'contains', value: 'invoice' }] },
    actions: [{ type: 'star' }],
  })
  const template = await web.carol.call('create_email_template', {
    name: 'Thanks',
    subject: 'Thank you',
    body_markdown: 'Dear {{name}}',
  })
  const carol = await openPage(web.carol, '/settings/mail')
  const { page } = carol
  await carol.checkPage('mail')
  await page.getByRole('switch', { name: 'Use the rule Invoices' }).press(' ')
  await waitForNotice(page, 'The rule is paused.')
  assert.equal((await web.carol.call('list_email_rules', {})).items[0].enabled, false)
  await carol.go(new URL(rule.url).pathname)
  await page.getByText('No existing mail matches.').waitFor()
  assert.equal(await page.getByLabel('Condition 1: with what').inputValue(), 'invoice')
  await carol.checkPage('mail-rule')
  await sectionOf(page, 'Delete the rule').getByRole('button').click()
  await dialog(page, 'Delete the rule Invoices?')
    .getByRole('button', { name: 'Delete the rule' })
    .click()
  await heading(page, 'No rules yet').waitFor()
  await carol.go(new URL(template.url).pathname)
  await page.getByLabel('Subject').fill('Many thanks')
  await button(page, 'Save').click()
  await waitForNotice(page, 'The template was saved.')
  assert.equal((await web.carol.call('list_email_templates', {})).items[0].subject, 'Many thanks')
  await carol.checkPage('mail-template')
  carol.assertNoProblems()
})

test('without an account the settings lead to adding one; Google shows the required setup', {
  skip,
}, async () => {
  const carol = await openPage(web.carol, '/settings/accounts')
  const { page } = carol
  await carol.checkPage('accounts-empty')
  await page.getByRole('link', { name: 'Connect an account' }).click()
  await button(page, 'Sign in with Google').click()
  await page.getByText(`${web.url}/web/accounts/google/callback`).waitFor()
  await carol.checkPage('accounts-google')
  await button(page, 'Back').click()
  await button(page, 'Only calendars (CalDAV)').click()
  await carol.checkPage('accounts-caldav')
  carol.assertNoProblems()
})

test('a mail account is connected, its state shown, its password renewed, and it is removed', {
  skip: skip ?? noMail,
}, async () => {
  const { host, imap, smtp, users } = mail!
  const { address, password: secret } = users[0]!
  const bob = await openPage(web.bob, '/settings/accounts/add')
  const { page } = bob
  await page.getByLabel('Email address').fill(address)
  await button(page, 'Continue').click()
  await page.getByLabel('Password', { exact: false }).first().fill('wrong')
  for (const [name, port] of [
    ['Incoming mail (IMAP)', imap.tlsPort],
    ['Outgoing mail (SMTP)', smtp.tlsPort],
  ] as const) {
    const serverGroup = page.getByRole('group', { name })
    await serverGroup.getByLabel('Server').fill(host)
    await serverGroup.getByLabel('Port').fill(String(port))
  }
  await page.getByLabel('User name').fill(users[0]!.user)
  await button(page, 'Connect').click()
  await page.locator('.mantine-InputWrapper-error, [role=alert]').first().waitFor()
  await bob.checkPage('accounts-refused')
  assert.deepEqual(queryRows('SELECT id FROM accounts'), [])
  await page.getByLabel('Password', { exact: false }).first().fill(secret)
  await button(page, 'Connect').click()
  await heading(page, address).waitFor()
  await page.getByText('Up to date', { exact: true }).waitFor() // by itself, when the first sync is done
  const [account] = queryRows('SELECT status, address, is_default FROM accounts')
  assert.deepEqual({ ...account }, { status: 'active', address, is_default: 1 })
  await button(page, 'Test the connection').click()
  await page.getByText('The connection works.').waitFor()
  await bob.checkPage('account')

  await page.getByLabel('Signature').fill('Greetings, **Bob**')
  await sectionOf(page, 'Sending').getByRole('button', { name: 'Save' }).click()
  await waitForNotice(page, 'Saved')
  assert.equal(
    queryRows('SELECT signature_markdown FROM accounts')[0]!.signature_markdown,
    'Greetings, **Bob**',
  )
  await page.getByRole('textbox', { name: /^Password, or a new/ }).fill('wrong again')
  await button(page, 'Sign in again').click()
  await sectionOf(page, 'Sign-in')
    .locator('.mantine-InputWrapper-error, [role=alert]')
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: /^Password, or a new/ }).fill(secret)
  await button(page, 'Sign in again').click()
  await waitForNotice(page, 'Signed in.')
  await button(page, 'Switch off').click()
  await waitForNotice(page, 'The account is switched off.')
  assert.equal(queryRows('SELECT status FROM accounts')[0]!.status, 'disabled')
  await page.getByRole('link', { name: 'Connected accounts' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Switched off' }).waitFor()
  await bob.checkPage('accounts')
  await page.getByRole('link', { name: address }).click()
  await button(page, 'Remove').click()
  await dialog(page, `Remove ${address}?`).getByRole('button', { name: 'Remove' }).click()
  await heading(page, 'No account is connected').waitFor()
  assert.equal(queryRows('SELECT id FROM accounts WHERE removed_at IS NULL').length, 0)
  // two passwords were wrong on purpose: a provider's refusal is a 502
  assert.deepEqual(
    bob.problems.filter((problem) => !/^502 .*\/web\/accounts\//.test(problem)),
    [],
  )
})
