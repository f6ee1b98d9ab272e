import { dayCounter, literals, type Planter } from './planter.ts'

/** Two events at one time, one of them with somebody invited; a series; one that its owner was invited to by mail, from outside; one in the trash. */
export const calendarPlanter: Planter = {
  async plant(make, say, _, store) {
    const home = (await make('list_calendars', { limit: 100 })).items.find(
      (item: { account_id?: string }) => item.account_id === undefined,
    )
    const create = (title: string, starts_at: string, ends_at: string, more: object = {}) =>
      make('create_event', { title: say(title), starts_at, ends_at, calendar_id: home.id, ...more })
    const day = await dayCounter(make)
    const first = await create('event', `${day(11)}T09:00:00Z`, `${day(11)}T10:00:00Z`, {
      location: say('place'),
      description_markdown: say('description'),
      attendees: [`${say('guest')} <guest@outside.example>`, 'carol@acme.test'],
    })
    const other = await create('overlapping event', `${day(11)}T09:30:00Z`, `${day(11)}T10:30:00Z`)
    const series = await create('series', `${day(12)}T09:00:00Z`, `${day(12)}T10:00:00Z`, {
      rrule: 'FREQ=WEEKLY;COUNT=4',
    })
    const gone = await create('trashed event', `${day(13)}T09:00:00Z`, `${day(13)}T10:00:00Z`)
    await make('delete_event', { event_id: gone.id, notify: false })
    const invited = store ? [await invitation(make, say, home.id, store)] : []
    return {
      calendar: [home.id],
      event: [first.id, other.id, series.id, ...invited],
      trashed: [gone.id],
    }
  },
  rows(planted) {
    const events = `event_id IN (${literals(planted.event)})`
    return {
      events: `id IN (${literals([...(planted.event ?? []), ...(planted.trashed ?? [])])})`,
      event_occurrences: events,
      event_letters: events,
      calendars: `id IN (${literals(planted.calendar)})`,
    }
  },
}

/** An event as one of the caller's, to which somebody outside invited them: no operation makes one. */
async function invitation(
  make: Parameters<Planter['plant']>[0],
  say: (what: string) => string,
  calendarId: string,
  { write, writer }: NonNullable<Parameters<Planter['plant']>[3]>,
): Promise<string> {
  const { email } = await make('get_person', { person_id: 'me' })
  const day = await dayCounter(make)
  const copy = await make('create_event', {
    title: say('invitation'),
    starts_at: `${day(14)}T09:00:00Z`,
    ends_at: `${day(14)}T10:00:00Z`,
    calendar_id: calendarId,
  })
  const row = await write
    .selectFrom('events')
    .select(['raw_ics'])
    .where('id', '=', copy.id)
    .executeTakeFirstOrThrow()
  const raw_ics = row.raw_ics.replace(
    'END:VEVENT',
    `ORGANIZER:mailto:boss@outside.example\r\nATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:${email}\r\nEND:VEVENT`,
  )
  const patch = {
    raw_ics,
    organizer_json: JSON.stringify({ address: 'boss@outside.example' }),
    attendees_json: JSON.stringify([{ address: email, response: 'needs_action', optional: false }]),
    my_response: 'needs_action',
  } as const
  await writer.run(() => write.updateTable('events').set(patch).where('id', '=', copy.id).execute())
  return copy.id as string
}
