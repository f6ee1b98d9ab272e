import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('a contact is created once: a known address returns its contact unchanged', async () => {
  const { ann, bob } = workspace
  const createdContact = await ann.call('create_contact', {
    name: ' Jörg Müller ',
    emails: ['J.Mueller@Example.DE', 'Jörg <jm@müller.example>', 'j.mueller@example.de'],
    phones: ['030 901820', '+1 (212) 555-2368 ext. 12'],
    title: 'Buyer',
    note: 'Met at the fair',
    custom_fields: { source: 'fair', score: 3, tags: ['a', 'b'] },
  })
  assert.equal(createdContact.existing, false)
  assert.equal(createdContact.name, 'Jörg Müller')
  assert.deepEqual(createdContact.emails, ['j.mueller@example.de', 'jm@xn--mller-kva.example'])
  assert.deepEqual(createdContact.phones, ['+4930901820', '+12125552368;ext=12'])
  assert.deepEqual(createdContact.custom_fields, { score: 3, source: 'fair', tags: ['a', 'b'] })
  const again = await bob.call('create_contact', {
    name: 'Somebody else',
    emails: ['JM@MÜLLER.example'],
  })
  assert.deepEqual(
    [again.id, again.existing, again.name, again.revision],
    [createdContact.id, true, 'Jörg Müller', 1],
  )
  assert.equal(
    (await bob.call('get_contact', { contact_id: 'J.MUELLER@example.de', include: ['deals'] })).id,
    createdContact.id,
  )
})

test("addresses of two contacts are a conflict, and an update cannot take another contact's address", async () => {
  const { ann } = workspace
  const first = await ann.call('create_contact', { name: 'Eins', emails: ['eins@two.example'] })
  const second = await ann.call('create_contact', { name: 'Zwei', emails: ['zwei@two.example'] })
  const both = await ann.refused('create_contact', {
    name: 'Beide',
    emails: ['eins@two.example', 'zwei@two.example'],
  })
  assert.equal(both.code, 'conflict')
  assert.deepEqual(both.more.next, {
    tool: 'merge_contacts',
    arguments: { contact_id: first.id, duplicate_ids: [second.id], dry_run: true },
  })
  const refusal = await ann.refused('update_contact', {
    contact_id: second.id,
    emails: ['zwei@two.example', 'eins@two.example'],
  })
  assert.deepEqual([refusal.code, refusal.more.context], ['conflict', { existing_id: first.id }])
})

test('an invalid address, number or owner is refused by its position', async () => {
  const { ann } = workspace
  const guest = await workspace.person('Gus', { role: 'guest' })
  assert.equal(
    (await ann.refused('create_contact', { name: 'x', emails: ['ok@x.example', 'not one'] })).more
      .field,
    'emails[1]',
  )
  assert.equal(
    (await ann.refused('create_contact', { name: 'x', phones: ['none'] })).more.field,
    'phones[0]',
  )
  assert.equal(
    (await ann.refused('create_contact', { name: 'x', owner_id: guest.id })).more.field,
    'owner_id',
  )
  assert.equal((await ann.refused('create_contact', { name: '  ' })).code, 'invalid_argument')
  assert.equal(
    (
      await ann.refused('create_contact', {
        name: 'x',
        custom_fields: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, 1])),
      })
    ).more.field,
    'custom_fields',
  )
})

test('an update changes only the fields that were sent, patches custom fields, and can be undone', async () => {
  const { ann, bob } = workspace
  const label = await ann.call('create_label', { name: 'VIP' })
  const createdContact = await ann.call('create_contact', {
    name: 'Change Me',
    emails: ['change@me.example'],
    label_ids: [label.id],
    custom_fields: { a: '1', b: 2 },
  })
  const key = await workspace.key(bob)
  const changed = await bob.call(
    'update_contact',
    {
      contact_id: createdContact.id,
      name: 'Ärwin',
      title: 'CEO',
      emails: ['new@me.example'],
      owner_id: 'me',
      custom_fields: { b: null, c: true },
      remove_label_ids: [label.id],
      note: 'x',
    },
    { key, via: 'api' },
  )
  assert.deepEqual(
    [
      changed.name,
      changed.title,
      changed.emails,
      changed.owner.title,
      changed.custom_fields,
      changed.labels,
      changed.note,
    ],
    ['Ärwin', 'CEO', ['new@me.example'], 'Bob', { a: '1', c: true }, [], 'x'],
  )
  assert.equal(
    (
      await ann.refused('update_contact', {
        contact_id: createdContact.id,
        name: 'Stale',
        expected_revision: createdContact.revision,
      })
    ).code,
    'conflict',
  )
  const [call] = (await bob.call('list_api_calls', { tool: 'update_contact' })).items
  assert.equal((await bob.call('undo_api_call', { call_id: call.id })).undone, true)
  const reverted = await ann.call('get_contact', { contact_id: 'change@me.example' })
  assert.deepEqual(
    [
      reverted.name,
      reverted.labels.map((item: { title: string }) => item.title),
      reverted.custom_fields,
      reverted.title,
    ],
    ['Change Me', ['VIP'], { a: '1', b: 2 }, undefined],
  )
  assert.equal(
    (await ann.refused('get_contact', { contact_id: 'new@me.example' })).code,
    'not_found',
  )
})

test('a company is derived from the domain of an address unless another company, or null, is sent', async () => {
  const { ann } = workspace
  const company = await ann.call('create_company', { name: 'Globex', domain: 'globex.example' })
  const createdContact = await ann.call('create_contact', {
    name: 'Hank',
    emails: ['hank@globex.example'],
  })
  assert.equal(createdContact.company.id, company.id)
  assert.equal(
    (
      await ann.call('create_contact', {
        name: 'Not',
        emails: ['not@globex.example'],
        company_id: null,
      })
    ).company,
    undefined,
  )
  assert.deepEqual(
    (await ann.call('list_contacts', { company_id: 'globex.example' })).items.map(
      (item: { name: string }) => item.name,
    ),
    ['Hank'],
  )
})

test('lists are sorted by name regardless of case and accents, paged, and filtered by label, owner and last contact', async () => {
  const { ann, eve } = workspace
  const label = await ann.call('create_label', { name: 'sorted' })
  const names = ['zoë', 'Ábel', 'bruno', 'Änne']
  for (const name of names)
    await ann.call('create_contact', {
      name,
      label_ids: [label.id],
      ...(name === 'bruno' ? { owner_id: 'me' } : {}),
    })
  const first = await ann.call('list_contacts', { label_id: ['sorted'], limit: 3 })
  assert.deepEqual(
    first.items.map((item: { name: string }) => item.name),
    ['Ábel', 'Änne', 'bruno'],
  )
  const second = await ann.call('list_contacts', {
    label_id: ['sorted'],
    limit: 3,
    cursor: first.next_cursor,
  })
  assert.deepEqual(
    [second.items.map((item: { name: string }) => item.name), second.has_more],
    [['zoë'], false],
  )
  assert.deepEqual(
    (await ann.call('list_contacts', { label_id: [label.id], owner_id: 'me' })).items.map(
      (item: { name: string }) => item.name,
    ),
    ['bruno'],
  )
  await ann.call('log_interaction', {
    kind: 'call',
    summary_markdown: 'Talked',
    contact_ids: [first.items[0].id],
    occurred_at: '2026-11-18T10:00:00Z',
  })
  const neglected = await ann.call('list_contacts', {
    label_id: ['sorted'],
    last_contacted_before: '2026-11-18',
    sort: 'last_contacted_at',
  })
  assert.equal(
    neglected.items.some((item: { name: string }) => item.name === 'Ábel'),
    false,
  )
  assert.equal(
    (await ann.call('list_contacts', { label_id: ['sorted'], sort: 'last_contacted_at' })).items[0]
      .name,
    'Ábel',
  )
  assert.equal(
    (await ann.call('list_labels', { item_type: 'contact', query: 'sorted' })).items[0].uses
      .contact,
    4,
  )
  assert.deepEqual((await eve.call('list_contacts')).items, [])
})

test('the directory is inaccessible to other organizations and guests', async () => {
  const { ann, carol, eve } = workspace
  const guest = await workspace.person('Gina', { role: 'guest' })
  const createdContact = await ann.call('create_contact', {
    name: 'Private Person',
    emails: ['pp@closed.example'],
  })
  assert.equal(
    (await carol.call('get_contact', { contact_id: createdContact.id })).name,
    'Private Person',
  )
  for (const who of [eve, guest]) {
    assert.equal(
      (await who.refused('get_contact', { contact_id: createdContact.id })).code,
      'not_found',
    )
    assert.equal(
      (await who.refused('get_contact', { contact_id: 'pp@closed.example' })).code,
      'not_found',
    )
    assert.deepEqual((await who.call('search_contacts', { query: 'Private Person' })).items, [])
  }
  assert.equal(
    (await guest.refused('create_contact', { name: 'x', emails: ['pp@closed.example'] })).code,
    'permission_denied',
  )
  assert.equal(
    (await guest.refused('import_contacts', { content: 'name\nx' })).code,
    'permission_denied',
  )
})

test('a deleted contact goes to the trash and frees its address, and can be restored only while the address is not taken', async () => {
  const { ann, bob } = workspace
  const createdContact = await ann.call('create_contact', {
    name: 'Gone',
    emails: ['gone@trash.example'],
  })
  assert.equal(
    (await bob.call('delete_contact', { contact_id: createdContact.id, dry_run: true })).dry_run,
    true,
  )
  await bob.call('delete_contact', { contact_id: createdContact.id })
  assert.equal(
    (await ann.refused('get_contact', { contact_id: createdContact.id })).code,
    'not_found',
  )
  assert.equal(
    (await ann.refused('delete_contact', { contact_id: createdContact.id })).code,
    'not_found',
  )
  const other = await ann.call('create_contact', { name: 'New', emails: ['gone@trash.example'] })
  assert.equal(other.existing, false)
  assert.equal((await ann.refused('restore_item', { item_id: createdContact.id })).code, 'conflict')
  await ann.call('update_contact', { contact_id: other.id, emails: [] })
  await ann.call('restore_item', { item_id: createdContact.id })
  assert.equal(
    (await ann.call('get_contact', { contact_id: 'gone@trash.example' })).id,
    createdContact.id,
  )
})

test('items related to a contact are shown according to their own permissions', async () => {
  const { ann, bob } = workspace
  const createdContact = await ann.call('create_contact', {
    name: 'Around',
    emails: ['around@x.example'],
  })
  await ann.call('create_deal', {
    name: 'Big one',
    contact_ids: [createdContact.id],
    amount: 12.5,
    currency: 'EUR',
  })
  await ann.call('create_meeting', {
    title: 'Secret meeting',
    starts_at: '2026-11-20T15:00',
    participants: ['around@x.example'],
  })
  await bob.call('log_interaction', {
    kind: 'note',
    summary_markdown: 'Note by Bob',
    contact_ids: [createdContact.id],
  })
  const detail = await ann.call('get_contact', {
    contact_id: createdContact.id,
    include: ['interactions', 'deals', 'tasks', 'meetings'],
  })
  assert.deepEqual(
    detail.meetings.map((meeting: { title: string }) => meeting.title),
    ['Secret meeting'],
  )
  assert.deepEqual(
    [detail.deals[0].title, detail.deals[0].amount, detail.deals[0].status],
    ['Big one', 12.5, 'open'],
  )
  assert.equal(
    detail.interactions.some(
      (interaction: { summary_markdown: string }) => interaction.summary_markdown === 'Note by Bob',
    ),
    true,
  )
  assert.deepEqual(detail.tasks, [])
  assert.deepEqual(
    (await bob.call('get_contact', { contact_id: createdContact.id, include: ['meetings'] }))
      .meetings,
    [],
  )
})

test('search finds by name, prefix, address, number in any notation, note and company domain', async () => {
  const { ann } = workspace
  const createdContact = await ann.call('create_contact', {
    name: 'Wolfgang Amadeus',
    emails: ['wolfi@vienna.example'],
    phones: ['+43 1 5058190'],
    note: 'plays the clavichord',
    custom_fields: { town: 'Salzburg' },
  })
  const createdCompany = await ann.call('create_company', {
    name: 'Vienna Music',
    domain: 'vienna-music.example',
  })
  const searchMatches = async (query: string, type?: string) =>
    (await ann.call('search_contacts', { query, ...(type ? { type } : {}) })).items.map(
      (item: any) => [(item.contact ?? item.company).id, item.matched_in],
    )
  for (const [query, matchedIn] of [
    ['amadeus', 'name'],
    ['Wolfg', 'name'],
    ['WOLFI@vienna.example', 'email'],
    ['0043 1 505 81 90', 'phone'],
    ['5058190', 'phone'],
    ['clavichord', 'text'],
    ['Salzburg', 'text'],
  ] as const) {
    const [first] = await searchMatches(query)
    assert.equal(first?.[0], createdContact.id, query)
    assert.ok(first[1].includes(matchedIn), `${query}: ${first[1]}`)
  }
  assert.deepEqual(await searchMatches('https://www.vienna-music.example/', 'company'), [
    [createdCompany.id, ['domain']],
  ])
  assert.deepEqual(
    await searchMatches('vienna', 'company').then((all) => all.map(([id]: string[]) => id)),
    [createdCompany.id],
  )
  assert.equal((await ann.refused('search_contacts', { query: '?!' })).code, 'invalid_argument')
})

test('a guest’s empty list gives the reason, and others get no note', async () => {
  const visitor = await workspace.person('Visitor', { role: 'guest' })
  assert.deepEqual(await visitor.call('list_contacts'), {
    items: [],
    has_more: false,
    note: 'Guests see no contacts.',
  })
  assert.equal((await workspace.bob.call('list_contacts', {})).note, undefined)
})
