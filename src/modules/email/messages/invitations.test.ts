import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { calendarModule } from '../../calendar/index.ts'

let workspace: TestWorkspace
let bob: Someone
before(async () => {
  workspace = await makeWorkspace()
  ;({ bob } = workspace)
})
after(() => workspace.close())

let count = 0

/** Adds a mail with a calendar part as the mail sync does, and runs the ticks that import invitations. */
async function receiveMail(
  ics: string,
  { from = 'boss@else.test', text = '' } = {},
): Promise<string> {
  const { app, clock } = workspace
  const n = String(++count).padStart(26, '0')
  const commonColumns = {
    revision: 1,
    created_at: clock.now(),
    updated_at: clock.now(),
    created_by: bob.id,
    created_via: 'sync',
  }
  const ownership = { org_id: bob.actor.org_id, owner_id: bob.id }
  const account_id = 'mac_00000000000000000000000001'
  await app.store.writer.run(async () => {
    const all = app.store.write
    if (count === 1)
      await all
        .insertInto('accounts')
        .values({
          id: account_id,
          ...ownership,
          provider: 'imap',
          address: bob.actor.email,
          display_name: 'Bob',
          login: 'x',
          has_mail: 1,
          has_calendar: 0,
          has_drive: 0,
          status: 'reauth_required',
          services_json: '{}',
          servers_json: '{}',
          signed_in_at: clock.now(),
          is_default: 1,
          ...commonColumns,
        } as never)
        .execute()
    await all
      .insertInto('mail_threads')
      .values({
        id: `thr_${n}`,
        ...ownership,
        account_id,
        subject: 'x',
        subject_key: 'x',
        participants_json: '[]',
        message_count: 1,
        unread_count: 1,
        first_message_at: clock.now(),
        last_message_at: clock.now(),
        in_inbox: 1,
        awaiting: 'none',
        snoozed_until_reply: 0,
        ...commonColumns,
      } as never)
      .execute()
    await all
      .insertInto('emails')
      .values({
        id: `eml_${n}`,
        ...ownership,
        account_id,
        thread_id: `thr_${n}`,
        place: 'inbox',
        message_id: `<${n}@x>`,
        references_json: '[]',
        from_email: from,
        addresses_json: '{}',
        is_own: 0,
        is_bulk: 0,
        subject: 'x',
        snippet: '',
        sent_at: clock.now(),
        received_at: clock.now(),
        size_bytes: 1,
        unread: 1,
        starred: 0,
        answered: 0,
        has_attachment: 0,
        delivery: 'received',
        body_state: 'ready',
        authentication_json: null,
        ...commonColumns,
      } as never)
      .execute()
    await all
      .insertInto('email_bodies')
      .values({
        email_id: `eml_${n}`,
        org_id: bob.actor.org_id,
        own_markdown: text,
        quoted_markdown: '',
        signature: '',
        headers_json: '[]',
        calendar_text: ics,
        warnings_json: '[]',
      } as never)
      .execute()
  })
  for (const tick of calendarModule.ticks!)
    if (!tick.due || (await tick.due(app.store.read))) await runTick(app, tick)
  return `eml_${n}`
}

const ics = (uid: string, method = 'REQUEST', more: string[] = []) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Else//EN',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    'BEGIN:VALARM',
    'UID:of-the-alarm',
    'ACTION:DISPLAY',
    'TRIGGER:-PT5M',
    'END:VALARM',
    `UID:${uid.slice(0, 5)}`,
    ` ${uid.slice(5)}`,
    'DTSTAMP:20261120T120000Z',
    'DTSTART:20261124T140000Z',
    'DURATION:PT1H',
    'SUMMARY:Planning',
    'ORGANIZER:mailto:boss@else.test',
    'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob@acme.test',
    ...more,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
const get = (email_id: string, args: object = {}) => bob.call('get_email', { email_id, ...args })

test('an invitation describes itself and links to its event with the current response', async () => {
  const id = await receiveMail(ics('invite-one'))
  const detail = await get(id)
  assert.equal(
    detail.content.text,
    'Invitation: Tue 24 Nov 2026, 15:00–16:00; you have not answered',
  )
  assert.deepEqual(
    [
      detail.event.title,
      detail.event.starts_local,
      detail.event.my_response,
      detail.linked_items.map((linkedItem: any) => [linkedItem.type, linkedItem.id]),
    ],
    ['Planning', '2026-11-24T15:00:00+01:00', 'needs_action', [['event', detail.event.id]]],
  )
  await bob.call('respond_to_event', { event_id: detail.event.id, response: 'accepted' })
  assert.equal(
    (await get(id, { format: 'text' })).content.text,
    'Invitation: Tue 24 Nov 2026, 15:00–16:00; you accepted',
  )
})

test('an invitation mail keeps its own text; one without a local event says so; other mails have no event', async () => {
  const words = await get(await receiveMail(ics('invite-two'), { text: 'Please come.' }))
  assert.deepEqual([words.content.text, words.event.title], ['Please come.', 'Planning'])
  const unknownSender = await get(
    await receiveMail(ics('invite-three'), { from: 'mallory@else.test' }),
  )
  assert.deepEqual(
    [unknownSender.content.text, unknownSender.event, unknownSender.linked_items],
    ['Invitation: its event is not in your calendar.', undefined, []],
  )
  const cancelled = await get(
    await receiveMail(ics('invite-two', 'CANCEL', ['SEQUENCE:1', 'STATUS:CANCELLED'])),
  )
  assert.match(cancelled.content.text, /^Cancellation: Tue 24 Nov 2026, 15:00–16:00; cancelled$/)
})

test('a message whose invitation was not accepted shows the reason', async () => {
  const other = await get(await receiveMail(ics('invite-four'), { from: 'mallory@else.test' }))
  assert.match(other.event_problem, /not sent by the organizer/)
  const published = await get(await receiveMail(ics('invite-five', 'PUBLISH')))
  assert.match(published.event_problem, /METHOD PUBLISH is not accepted/)
  const notInvited = ics('invite-six').replace('mailto:bob@acme.test', 'mailto:zoe@else.test')
  assert.match((await get(await receiveMail(notInvited))).event_problem, /among the attendees/)
  const broken = ics('invite-seven').replace('DTSTART:20261124T140000Z', 'DTSTART:soon')
  assert.match((await get(await receiveMail(broken))).event_problem, /DTSTART is not a valid time/)
  assert.equal((await get(await receiveMail(ics('invite-eight')))).event_problem, undefined)
})

test('a conversation shows for each message why its invitation was not accepted', async () => {
  const problemIn = async (mail: string) => {
    const { messages } = await bob.call('get_email_thread', {
      thread_id: mail.replace('eml_', 'thr_'),
    })
    return messages[0].event_problem
  }
  const other = await receiveMail(ics('invite-nine'), { from: 'mallory@else.test' })
  assert.match(await problemIn(other), /not sent by the organizer/)
  const published = await receiveMail(ics('invite-ten', 'PUBLISH'), { text: 'Please come.' })
  assert.match(await problemIn(published), /METHOD PUBLISH is not accepted/)
  assert.equal(await problemIn(await receiveMail(ics('invite-eleven'))), undefined)
})
