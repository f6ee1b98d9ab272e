import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayLong } from '../testing/harness.ts'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

let projectCount = 0
/** A project of ann and bob, with tasks assigned to bob: he is notified of each. */
async function createAssigned(titles: readonly string[]): Promise<{ id: string; key: string }[]> {
  const key = `IN${++projectCount}`
  await web.ann.call('create_project', { name: `Project ${key}`, key, member_ids: [web.bob.id] })
  const assigned = []
  for (const title of titles) {
    web.clock.wait(1) // each has its own position in the list
    assigned.push(
      await web.ann.call('create_task', { project_id: key, title, assignee_ids: [web.bob.id] }),
    )
  }
  return assigned
}

const markAllRead = () => web.bob.call('mark_notifications_read', { all: true })
const listNotifications = async (args: object) =>
  (await web.bob.call('list_notifications', { limit: 100, ...args })).items

test('fifty entries are triaged by keyboard only, with at most two keys each, and the next one is selected automatically', {
  skip,
}, async () => {
  await markAllRead()
  await createAssigned(Array.from({ length: 49 }, (_, n) => `Errand ${n + 1}`)) // plus one: he was added to the project
  const { visitor, page, press } = await reopenFor(web, web.bob, '/inbox')
  await page.getByRole('button', { name: 'New 50' }).waitFor()
  const triage = async (...keys: [string] | [string, string]) => {
    const entry = await page.locator('[data-entry][aria-selected=true]').getAttribute('data-entry')
    await press(...keys)
    await page.locator(`[data-entry="${entry}"]`).waitFor({ state: 'detached' })
  }
  for (let n = 0; n < 50; n++) {
    if (n % 5 === 1) await triage('h', 'Enter')
    else if (n % 5 === 2) await triage('Shift+m')
    else await triage('e')
  }
  await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor()
  await visitor.checkPage('inbox-empty')
  await untilTrue(
    async () => (await listNotifications({ unread: true })).length === 0,
    'some are unread',
  )
  assert.equal((await listNotifications({ snoozed: true })).length, 10)
  const { muted } = await web.bob.call('get_notification_preferences')
  assert.equal(muted.length, 10)
  visitor.assertNoProblems()
})

test('actions are undone by z, snoozed in words, and brought back; a mention in a muted task still arrives', {
  skip,
}, async () => {
  await markAllRead()
  const [first, second] = await createAssigned(['Call the plumber', 'Order the paint'])
  const { visitor, page, press } = await openFor(web, web.bob, '/inbox')
  const row = (title: string) => page.getByRole('row').filter({ hasText: title })
  await row('Order the paint').waitFor()
  assert.equal(await row('Order the paint').getAttribute('aria-selected'), 'true')
  await page.getByRole('complementary').getByText('Ann assigned').first().waitFor()
  await visitor.checkPage('inbox')
  const gate = Promise.withResolvers<void>()
  await page.route(
    '**/web/call/mark_notifications_read',
    async (route) => {
      const response = await route.fetch()
      await gate.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await press('e')
  await row('Order the paint').waitFor({ state: 'detached' })
  assert.equal(await row('Call the plumber').getAttribute('aria-selected'), 'true')
  await untilTrue(
    async () => (await listNotifications({ unread: true })).length === 2,
    'it was not marked',
  )
  await press('z') // before the response arrives
  gate.resolve()
  await row('Order the paint').waitFor()
  await page.locator(`[data-entry="${second!.id}"][aria-selected=true]`).waitFor()
  await press('h')
  await page.getByRole('combobox', { name: 'Come back…' }).waitFor()
  await page.keyboard.type('tomorrow 9')
  await page
    .getByRole('option', { name: /Tomorrow 09:00/ })
    .first()
    .waitFor()
  await visitor.checkPage('inbox-later-menu')
  await press('Enter')
  await row('Order the paint').waitFor({ state: 'detached' })
  await untilTrue(
    async () =>
      (await listNotifications({ snoozed: true })).some(
        (notice: { item: { id: string } }) => notice.item.id === second!.id,
      ),
    'it was not snoozed',
  )
  await press('2')
  await row('Order the paint').getByText('Tomorrow 09:00').waitFor()
  await press('j', 'k')
  await page.locator(`[data-entry="${second!.id}"]`).click()
  await press('Shift+u')
  await row('Order the paint').waitFor({ state: 'detached' })
  await press('1')
  await row('Order the paint').waitFor()
  await page.locator(`[data-entry="${first!.id}"]`).click()
  await press('Shift+m')
  await row('Call the plumber').waitFor({ state: 'detached' })
  await untilTrue(
    async () =>
      (await web.bob.call('get_notification_preferences')).muted.some(
        (item: { id: string }) => item.id === first!.id,
      ),
    'it was not muted',
  )
  await web.ann.call('add_task_comment', { task_id: first!.id, body_markdown: 'He comes at ten.' })
  await web.ann.call('add_task_comment', {
    task_id: first!.id,
    body_markdown: 'Is that fine, @Bob?',
  })
  await row('Call the plumber').getByText('Ann mentioned you').waitFor()
  visitor.assertNoProblems()
})

test('an approval shows in place what is sent; a denial reaches the assistant with its reason; an approved call is executed once', {
  skip,
}, async () => {
  await markAllRead()
  const { key } = await web.keyFor(web.bob, { name: 'Inbox helper', holdOutbound: true })
  const draft = await web.bob.call('create_page', {
    title: 'Opening hours',
    body_markdown: 'Nine to five.',
  })
  const publish = () => web.ask('PUT', `/api/pages/${draft.id}/publication`, { key, body: {} })
  const { visitor, page, press } = await openFor(web, web.bob, '/inbox')
  const refusal = await publish()
  assert.equal(refusal.json.code, 'approval_required')
  const row = page.getByRole('row').filter({ hasText: 'Inbox helper asks for your approval' })
  await row.waitFor() // without a reload
  await page
    .getByRole('link', { name: /Inbox/ })
    .getByRole('img', { name: /in your inbox/ })
    .waitFor()
  await row.click()
  await page.getByRole('article').getByText('Opening hours').first().waitFor()
  await visitor.checkPage('inbox-approval')
  await press('e')
  await page.getByText('waits for your decision').waitFor()
  await press('Shift+d')
  await page.getByRole('textbox', { name: /Reason/ }).waitFor()
  await page.keyboard.type('Not before Monday.')
  await press('Enter')
  await row.waitFor({ state: 'detached' })
  const refused = await publish()
  assert.deepEqual([refused.status, refused.json.reason], [403, 'Not before Monday.'])
  assert.match(refused.json.message, /Not before Monday\./)
  web.clock.wait(dayLong / 12)
  const secondRefusal = await publish()
  assert.equal(secondRefusal.json.code, 'approval_required')
  await row.waitFor()
  await row.click()
  await page.locator('[data-approve]').waitFor()
  await press('Shift+a')
  await row.waitFor({ state: 'detached' })
  const approval = await web.ask('GET', `/api/approvals/${secondRefusal.json.approval_id}`, { key })
  assert.equal(approval.json.status, 'released')
  assert.deepEqual(
    (await listNotifications({ unread: true })).filter(
      (notice: { item: { type: string } }) => notice.item.type === 'approval',
    ),
    [],
    'no notification of it is left',
  )
  visitor.assertNoProblems()
})

test('an approval is shown on the page it concerns, and is executed once when approved there', {
  skip,
}, async () => {
  const { key } = await web.keyFor(web.bob, { name: 'Page helper', holdOutbound: true })
  const { id } = await web.bob.call('create_page', { title: 'Fire drill', body_markdown: 'Walk.' })
  const { visitor, page, press } = await reopenFor(web, web.bob, `/pages/${id}`)
  await page.getByRole('heading', { name: 'Fire drill' }).first().waitFor()
  const refusal = await web.ask('PUT', `/api/pages/${id}/publication`, { key, body: {} })
  assert.equal(refusal.json.code, 'approval_required')
  const card = page.getByRole('region', { name: 'Waiting calls' }).getByRole('article')
  await card.getByText('Key “Page helper”').waitFor() // without a reload
  await visitor.checkPage('approval-on-page')
  await card.locator('[data-approve]').focus()
  await press('Enter')
  await card.waitFor({ state: 'detached' })
  const { json } = await web.ask('GET', `/api/approvals/${refusal.json.approval_id}`, { key })
  assert.equal(json.status, 'released')
  const { items } = await web.bob.call('list_api_calls', { tool: 'publish_page', status: 'ok' })
  assert.equal(
    items.filter((call: { items: { id: string }[] }) => call.items.some((item) => item.id === id))
      .length,
    1,
  )
  visitor.assertNoProblems()
})

test('by pointer: an entry is opened, done, undone from the notice, and read on a separate page on a phone', {
  skip,
}, async () => {
  await markAllRead()
  await createAssigned(['Sweep the yard', 'Feed the cat'])
  const visitor = await web.visit(web.bob)
  const { page } = visitor
  await visitor.go('/')
  await page.getByRole('link', { name: /Inbox/ }).first().click()
  const row = (title: string) => page.getByRole('row').filter({ hasText: title })
  await row('Sweep the yard').click()
  await page.getByRole('complementary').getByRole('button', { name: 'Done', exact: true }).click()
  await row('Sweep the yard').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await row('Sweep the yard').waitFor()
  await page.getByRole('button', { name: 'Mark all as done' }).click()
  await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor()
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await row('Feed the cat').waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await row('Feed the cat').click()
  await page.getByRole('button', { name: 'Back to the list' }).waitFor()
  await page.getByRole('button', { name: 'Back to the inbox' }).click()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await row('Feed the cat').waitFor()
  visitor.assertNoProblems()
})
