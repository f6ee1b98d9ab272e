import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { resolvePhrase } from './availability/phrases.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('the clock gives the day, the week and the next working day', async () => {
  const { ann, bob } = workspace
  const now = await ann.call('get_current_time', {})
  assert.deepEqual(now, {
    utc: '2026-11-20T12:00:00.000Z',
    local: '2026-11-20T13:00:00+01:00',
    timezone: 'Europe/Berlin',
    weekday: 'Friday',
    iso_week: 47,
    iso_year: 2026,
    is_working_day: true,
    next_working_day: '2026-11-23',
  })
  assert.deepEqual(
    (await ann.call('get_current_time', { timezone: 'Pacific/Kiritimati' })).weekday,
    'Saturday',
  )
  await ann.call('create_time_off', {
    starts_on: '2026-11-20',
    ends_on: '2026-11-24',
    kind: 'vacation',
  })
  const away = await ann.call('get_current_time', {})
  assert.deepEqual([away.is_working_day, away.next_working_day], [false, '2026-11-25'])
  assert.equal((await bob.call('get_current_time', {})).next_working_day, '2026-11-23')
})

test('a phrase without a time is refused; one with a time is resolved in the zone', async () => {
  const { ann } = workspace
  assert.match(
    (await ann.refused('get_current_time', { phrase: 'purple' })).body().message,
    /is not a time/,
  )
  const { resolved } = await ann.call('get_current_time', { phrase: 'next Tuesday 3pm' })
  assert.deepEqual(resolved, {
    phrase: 'next Tuesday 3pm',
    reading: 'Tuesday 24 November 2026, 15:00',
    from: '2026-11-24T14:00:00.000Z',
    to: '2026-11-24T14:00:00.000Z',
    from_local: '2026-11-24T15:00:00+01:00',
    to_local: '2026-11-24T15:00:00+01:00',
  })
})

/** Relative to Friday, 20 November 2026, 13:00 in Berlin. */
const phrases: [phrase: string, from: string, to?: string][] = [
  ['today', '2026-11-20', '2026-11-21'],
  ['tomorrow', '2026-11-21', '2026-11-22'],
  ['yesterday', '2026-11-19', '2026-11-20'],
  ['tomorrow at 9', '2026-11-21T09:00'],
  ['next tuesday 3pm', '2026-11-24T15:00'],
  ['monday', '2026-11-23', '2026-11-24'],
  ['last monday', '2026-11-16', '2026-11-17'],
  ['in 2 weeks', '2026-12-04', '2026-12-05'],
  ['in 3 hours', '2026-11-20T16:00'],
  ['3 days ago', '2026-11-17', '2026-11-18'],
  ['24 December', '2026-12-24', '2026-12-25'],
  ['2027-02-03', '2027-02-03', '2027-02-04'],
  ['2027-02-03 14:30', '2027-02-03T14:30'],
  ['march 2027', '2027-03-01', '2027-04-01'],
  ['next week', '2026-11-23', '2026-11-30'],
  ['this week', '2026-11-16', '2026-11-23'],
  ['last month', '2026-10-01', '2026-11-01'],
  ['next quarter', '2027-01-01', '2027-04-01'],
  ['this weekend', '2026-11-21', '2026-11-23'],
  ['end of month', '2026-11-30', '2026-12-01'],
  ['the end of the month', '2026-11-30', '2026-12-01'],
  ['end of next month', '2026-12-31', '2027-01-01'],
  ['beginning of next year', '2027-01-01', '2027-01-02'],
  ['end of quarter', '2026-12-31', '2027-01-01'],
  ['end of Q1', '2027-03-31', '2027-04-01'],
  ['week 48', '2026-11-23', '2026-11-30'],
  ['KW 3', '2027-01-18', '2027-01-25'],
  ['week 53', '2026-12-28', '2027-01-04'],
  ['2026-W47', '2026-11-16', '2026-11-23'],
  ['Q1', '2027-01-01', '2027-04-01'],
  ['Q3 2026', '2026-07-01', '2026-10-01'],
  ['2027', '2027-01-01', '2028-01-01'],
  ['morgen um 9 Uhr', '2026-11-21T09:00'],
  ['nächsten Dienstag um 15 Uhr', '2026-11-24T15:00'],
  ['nächste Woche', '2026-11-23', '2026-11-30'],
  ['Monatsende', '2026-11-30', '2026-12-01'],
  ['in 2 Wochen', '2026-12-04', '2026-12-05'],
  ['demain à 9h', '2026-11-21T09:00'],
  ['la semaine prochaine', '2026-11-23', '2026-11-30'],
  ['fin du mois', '2026-11-30', '2026-12-01'],
  ['mañana a las 9', '2026-11-21T09:00'],
  ['la próxima semana', '2026-11-23', '2026-11-30'],
  ['volgende week', '2026-11-23', '2026-11-30'],
  ['amanhã às 9:00', '2026-11-21T09:00'],
  ['来週', '2026-11-23', '2026-11-30'],
  ['明日', '2026-11-21', '2026-11-22'],
  ['tomorrow 9am UTC', '2026-11-21T10:00'],
]

for (const [phrase, from, to = from] of phrases) {
  test(`"${phrase}" is understood`, async () => {
    const zone = 'Europe/Berlin'
    const resolvedPhrase = await resolvePhrase(phrase, Date.UTC(2026, 10, 20, 12), zone)
    const text = (at: number | undefined) =>
      at === undefined
        ? undefined
        : new Intl.DateTimeFormat('sv-SE', {
            timeZone: zone,
            dateStyle: 'short',
            timeStyle: 'short',
          })
            .format(at)
            .replace(' ', 'T')
    const withTime = (time: string) => (time.length === 10 ? `${time}T00:00` : time)
    assert.deepEqual(
      [text(resolvedPhrase?.from), text(resolvedPhrase?.to)],
      [withTime(from), withTime(to)],
    )
  })
}

test('times follow the zone across DST changes', async () => {
  const resolvedPhrase = await resolvePhrase(
    'on march 29 at 9am',
    Date.UTC(2027, 2, 26, 12),
    'Europe/Berlin',
  )
  assert.equal(new Date(resolvedPhrase!.from).toISOString(), '2027-03-29T07:00:00.000Z')
  const hours = await resolvePhrase('in 24 hours', Date.UTC(2027, 2, 27, 12), 'Europe/Berlin')
  assert.equal(hours!.from - Date.UTC(2027, 2, 27, 12), 24 * 3600_000)
})

test('the answer shows how a phrase was read, and business days follow the work week and holidays', async () => {
  const { ann } = workspace
  const resolveFor = async (phrase: string) =>
    (await ann.call('get_current_time', { phrase })).resolved
  workspace.clock.at = Date.UTC(2026, 10, 23, 12) // a Monday
  assert.equal(
    (await resolveFor('next friday')).reading,
    'Friday 4 December 2026; the coming Friday 27 November 2026 was not meant: for that, say “this friday”',
  )
  assert.equal((await resolveFor('this friday')).from_local, '2026-11-27T00:00:00+01:00')
  assert.equal(
    (await resolveFor('end of next week')).reading,
    'Sunday 6 December 2026; weeks run from Monday to Sunday',
  )
  assert.equal(
    (await resolveFor('next week')).reading,
    'Monday 30 November 2026 to Sunday 6 December 2026',
  )
  assert.equal((await resolveFor('in 3 business days')).from_local, '2026-11-26T00:00:00+01:00')
  assert.equal(
    (await resolveFor('5 working days from now')).from_local,
    '2026-11-30T00:00:00+01:00',
  )
  assert.equal((await resolveFor('in 3 Arbeitstagen')).from_local, '2026-11-26T00:00:00+01:00')
  assert.equal((await resolveFor('2 business days ago')).from_local, '2026-11-19T00:00:00+01:00')
  const holidays_json = JSON.stringify([{ date: '2026-11-25', name: 'Holiday' }])
  await workspace.app.store.writer.run(() =>
    workspace.app.store.write
      .updateTable('orgs')
      .set({ holidays_json })
      .where('id', '=', ann.actor.org_id)
      .execute(),
  )
  assert.equal((await resolveFor('in 3 business days')).from_local, '2026-11-27T00:00:00+01:00')
  assert.equal(
    (await ann.refused('get_current_time', { phrase: 'in 900 business days' })).code,
    'invalid_argument',
  )
})
