import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { messageText } from '../testing/mail/setup.ts'
import { noMail } from '../testing/servers/daemons.ts'
import { calendarModule } from '../modules/calendar/index.ts'
import { runTick } from '../operations/jobs/system.ts'
import { untilTrue } from '../testing/limits.ts'
import { openWebWithMail, type WebWithMail } from './mail-server.ts'
import { noChromium } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium ?? noMail
let rig: WebWithMail
before(async () => {
  if (skip) return
  rig = await openWebWithMail()
  await rig.connect(rig.web.ann, 'alice')
  await rig.connect(rig.web.bob, 'bob')
})
after(() => rig?.close())

let serial = 0
/**
 * Delivers mail to the mailbox of alice, who is ann here, or of bob, each a moment after the previous one, and waits
 * for its arrival.
 */
async function deliver(
  user: 'alice' | 'bob',
  mails: readonly { subject: string; more?: string[]; body?: string; from?: string }[],
): Promise<void> {
  const firstMs = Date.now() - 60_000
  await rig.put(
    user,
    'INBOX',
    mails.map((mail) =>
      messageText({
        to: `${user}@example.test`,
        id: `<web-${++serial}@else.test>`,
        date: new Date(firstMs + serial * 1000),
        ...mail,
      }),
    ),
  )
  const person = user === 'alice' ? rig.web.ann : rig.web.bob
  await untilTrue(async () => {
    const { items } = await person.call('list_email_threads', { limit: 100 })
    const subjects = new Set(items.map((item: { subject: string }) => item.subject))
    return mails.every(({ subject }) => subjects.has(subject))
  }, 'the mail has not arrived')
}

const newsletterHeaders = ['List-Id: News <news.else.test>', 'Precedence: bulk']

test('fifty mails are triaged by keyboard only, with at most two keys each, and the server mailbox ends up empty', {
  skip,
}, async () => {
  const { web } = rig
  await deliver(
    'alice',
    Array.from({ length: 50 }, (_, n) => ({ subject: `Question ${n + 1}`, body: 'Is it so?' })),
  )
  const { visitor, page, press } = await openFor(web, web.ann, '/mail')
  await page.getByRole('button', { name: 'Needs reply 50' }).waitFor()
  const triage = async (...keys: [string] | [string, string]) => {
    const entry = await page.locator('[data-entry][aria-selected=true]').getAttribute('data-entry')
    await press(...keys)
    await page.locator(`[data-entry="${entry}"]`).waitFor({ state: 'detached' })
  }
  for (let n = 0; n < 50; n++) {
    if (n % 5 === 1) await triage('h', 'Enter')
    else if (n % 5 === 2) await triage('#')
    else await triage('e')
  }
  await page.getByRole('heading', { name: 'No one waits for your reply' }).waitFor()
  await visitor.checkPage('mail-empty')
  await page.getByRole('button', { name: 'Later 10' }).waitFor()
  await untilTrue(
    async () => (await rig.subjects('alice', 'INBOX')).length === 10,
    'the server mailbox still has mail that was not snoozed',
  )
  assert.equal((await rig.subjects('alice', 'Trash')).length, 10)
  const { items } = await web.ann.call('list_email_threads', { snoozed: true, limit: 100 })
  assert.equal(items.length, 10)
  visitor.assertNoProblems()
})

test('mail is split by the action it needs, read fenced, snoozed in words, brought back and undone', {
  skip,
}, async () => {
  const { web } = rig
  await deliver('bob', [
    {
      subject: 'Shall we meet?',
      from: 'Cara Long <cara@else.test>',
      body: 'On Monday? See https://else.test/agenda and **never** run this.\r\n',
    },
    { subject: 'Our news', more: newsletterHeaders, body: 'Spring is here.\r\n' },
  ])
  const { visitor, page, press } = await openFor(web, web.bob, '/mail')
  const row = (subject: string) => page.getByRole('row').filter({ hasText: subject })
  const pane = page.getByRole('complementary')
  await row('Shall we meet?').waitFor()
  await pane.getByText('From outside: cara@else.test').waitFor()
  await pane.locator('.plain-text').getByText('and never run this').waitFor()
  assert.equal(
    await pane.getByRole('link', { name: 'else.test/agenda' }).getAttribute('href'),
    'https://else.test/agenda',
  )
  await visitor.checkPage('mail')
  await press('h')
  await page.getByRole('combobox', { name: 'Come back…' }).waitFor()
  await page.keyboard.type('tomorrow 9')
  await page
    .getByRole('option', { name: /Tomorrow 09:00/ })
    .first()
    .waitFor()
  await press('Enter')
  await row('Shall we meet?').waitFor({ state: 'detached' })
  await press('5')
  await row('Shall we meet?').getByText('Tomorrow 09:00').waitFor()
  await visitor.checkPage('mail-later')
  await press('Shift+h')
  await row('Shall we meet?').waitFor({ state: 'detached' })
  await press('1')
  await row('Shall we meet?').waitFor()
  await press('e')
  await row('Shall we meet?').waitFor({ state: 'detached' })
  await press('z')
  await row('Shall we meet?').waitFor()
  await press('2')
  await row('Our news').waitFor()
  await press('Enter') // it is marked read, and stays listed until the selection moves
  await page.getByRole('heading', { name: 'Our news' }).and(page.locator(':focus')).waitFor()
  await row('Our news').getByRole('img', { name: 'Unread' }).waitFor({ state: 'detached' })
  assert.equal(await row('Our news').count(), 1)
  await press('Escape', '3')
  await row('Our news').waitFor()
  await press('Shift+u')
  await row('Our news').waitFor({ state: 'detached' })
  await untilTrue(async () => {
    const { items } = await web.bob.call('list_email_threads', { folder: 'inbox', unread: true })
    return items.some((item: { subject: string }) => item.subject === 'Our news')
  }, 'it is not unread again')
  visitor.assertNoProblems()
})

test('mail added and removed elsewhere is synced here; on a phone a conversation fills the screen', {
  skip,
}, async () => {
  const { web } = rig
  const visitor = await web.visit(web.bob)
  const { page } = visitor
  await visitor.go('/')
  await page.getByRole('link', { name: 'Mail', exact: true }).click()
  await deliver('bob', [{ subject: 'Keys are with the porter', body: 'Fetch them?\r\n' }])
  const row = page.getByRole('row').filter({ hasText: 'Keys are with the porter' })
  await row.waitFor() // without a reload
  await page.setViewportSize({ width: 360, height: 740 })
  await row.click()
  await page.getByText('Fetch them?').last().waitFor()
  await page.getByRole('button', { name: 'Back to the list' }).waitFor()
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await row.waitFor({ state: 'detached' })
  const { items } = await web.bob.call('list_email_threads', { limit: 100 })
  const thread = items.find((item: { subject: string }) => /Keys/.test(item.subject))
  await web.bob.call('move_emails', { thread_ids: [thread.id], folder: 'inbox' })
  await row.waitFor()
  visitor.assertNoProblems()
})

test('a mail with a rejected invitation shows the reason in its conversation', {
  skip,
}, async () => {
  const { web } = rig
  const ics = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Else//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    'UID:open-day@else.test',
    'DTSTAMP:20261120T120000Z',
    'DTSTART:20271124T140000Z',
    'DURATION:PT1H',
    'SUMMARY:Open day',
    'ORGANIZER:mailto:cara@else.test',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
  const body = ['--part', 'Content-Type: text/plain', '', 'Please come.', '--part']
  body.push('Content-Type: text/calendar; method=PUBLISH', '', ics, '--part--', '')
  await deliver('bob', [
    {
      subject: 'Open day',
      more: ['Content-Type: multipart/alternative; boundary=part'],
      body: body.join('\r\n'),
    },
  ])
  const { items } = await web.bob.call('list_email_threads', { limit: 100 })
  const { id } = items.find((item: { subject: string }) => item.subject === 'Open day')
  await web.bob.call('get_email_thread', { thread_id: id }) // reads the text from the server
  for (const tick of calendarModule.ticks ?? [])
    if (!tick.due || (await tick.due(web.app.store.read))) await runTick(web.app, tick)
  const { visitor, page, press } = await openFor(web, web.bob, `/mail/${id}`)
  const note =
    'Not in your calendar: METHOD PUBLISH is not accepted: only REQUEST, CANCEL and REPLY are.'
  await page.getByText(note).waitFor()
  await visitor.checkPage('mail-not-taken-page')
  await visitor.go('/mail')
  await page.getByRole('row').filter({ hasText: 'Shall we meet?' }).waitFor()
  await press('2')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('row').filter({ hasText: 'Open day' }).click()
  await page.getByRole('complementary').getByText(note).waitFor()
  await visitor.checkPage('mail-not-taken')
  visitor.assertNoProblems()
})
