import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { verifyCalls } from '../../../audit/verify.ts'
import { Queue } from '../../../jobs/queue.ts'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

// Checks in the bytes of the database file that erased data is gone: searches them for words of the contact.

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const words = [
  'Zyxwana',
  'Qqcanary',
  'zyx.former',
  'qq-note-word',
  'qq-field-word',
  'qqtitle',
  'qq-said-word',
  '901877',
]

/** The canary words that are still in the database files, after a checkpoint of the write-ahead log. */
function remainingWords(): string[] {
  const { raw, path } = workspace.app.store
  raw.write.pragma('wal_checkpoint(TRUNCATE)')
  const bytes = [path, `${path}-wal`]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file).toString('latin1').toLowerCase())
    .join()
  return words.filter((word) => bytes.includes(word.toLowerCase()))
}

/** Creates a contact and every kind of data that the workspace stores about a contact. */
async function createTraces() {
  const { ann, bob } = workspace
  const key = await workspace.key(bob)
  await ann.call('create_webhook', { url: 'https://93.184.216.34/hook', events: ['contact.*'] })
  const createdContact = await bob.call(
    'create_contact',
    {
      name: 'Zyxwana Qqcanary',
      emails: ['zyx.former@canary.example'],
      phones: ['030 901877'],
      title: 'qqtitle',
      note: 'qq-note-word',
      custom_fields: { hobby: 'qq-field-word' },
    },
    { key, idempotencyKey: 'planted' },
  )
  const other = await bob.call('create_contact', {
    name: 'Somebody else',
    emails: ['other@canary.example'],
  })
  await bob.call(
    'update_contact',
    {
      contact_id: createdContact.id,
      name: 'Zyxwana Q. Qqcanary',
      emails: ['zyxwana@canary.example'],
      owner_id: ann.id,
    },
    { key },
  )
  const duplicate = await bob.call(
    'create_contact',
    { name: 'Qqcanary, Zyxwana', note: 'qq-note-word of the double' },
    { key },
  )
  await bob.call(
    'merge_contacts',
    { contact_id: createdContact.id, duplicate_ids: [duplicate.id] },
    { key },
  )
  const soleInteraction = await bob.call(
    'log_interaction',
    { kind: 'note', summary_markdown: 'qq-said-word of Zyxwana', contact_ids: [createdContact.id] },
    { key },
  )
  const sharedInteraction = await bob.call('log_interaction', {
    kind: 'note',
    summary_markdown: 'said to several',
    contact_ids: [createdContact.id, other.id],
  })
  const deal = await bob.call('create_deal', {
    name: 'Stays',
    contact_ids: [createdContact.id, other.id],
  })
  await bob.call('search_contacts', { query: 'zyxwana@canary.example' }, { key })
  await bob.refused('get_contact', { contact_id: 'zyxwana qqcanary' })
  await bob.call('create_reminder', {
    remind_at: '2026-12-01T09:00',
    item_id: createdContact.id,
    text: 'call Zyxwana Qqcanary',
  })
  return {
    erasedContact: createdContact,
    duplicate,
    soleInteraction,
    sharedInteraction,
    deal,
    other,
    key,
  }
}

test('erasing is limited to administrators, and refused while an import could create the contact again', async () => {
  const { ann, bob } = workspace
  const createdContact = await ann.call('create_contact', { name: 'Not Yet' })
  assert.equal(
    (await bob.refused('delete_contact', { contact_id: createdContact.id, erase: true })).code,
    'permission_denied',
  )
  await ann.call('import_contacts', {
    content: `email\n${Array.from({ length: 501 }, (_, i) => `many${i}@import.example`).join('\n')}`,
  })
  assert.equal(
    (await ann.refused('delete_contact', { contact_id: createdContact.id, erase: true })).code,
    'conflict',
  )
  await new Queue(workspace.app).drain()
  const dryRun = await ann.call('delete_contact', {
    contact_id: createdContact.id,
    erase: true,
    dry_run: true,
  })
  assert.deepEqual([dryRun.dry_run, dryRun.erased.contacts], [true, 1])
  assert.equal((await ann.call('get_contact', { contact_id: createdContact.id })).name, 'Not Yet')
})

test('erased data is nowhere in the database: not in history, calls, stored results, notifications, search or free pages', async () => {
  const { ann, bob } = workspace
  const { erasedContact, duplicate, soleInteraction, sharedInteraction, deal, other, key } =
    await createTraces()
  assert.deepEqual(remainingWords(), words, 'all words are in the database before the erasure')
  const erasure = await ann.call('delete_contact', { contact_id: duplicate.id, erase: true })
  await new Queue(workspace.app).drain()
  assert.deepEqual(remainingWords(), [])
  assert.equal(erasure.item.id, erasedContact.id)
  assert.deepEqual(
    [
      erasure.erased.contacts,
      erasure.erased.interactions,
      erasure.erased.reminders,
      erasure.erased.repeated_answers,
    ],
    [2, 1, 1, 1],
  )
  assert.ok(
    erasure.erased.history >= 5 && erasure.erased.call_details >= 6,
    JSON.stringify(erasure.erased),
  )
  for (const id of [erasedContact.id, duplicate.id])
    assert.equal((await bob.refused('get_contact', { contact_id: id })).code, 'not_found')
  assert.equal((await bob.refused('restore_item', { item_id: erasedContact.id })).code, 'not_found')
  assert.deepEqual(
    (await bob.call('list_interactions', { contact_id: other.id })).items.map(
      (item: { id: string }) => item.id,
    ),
    [sharedInteraction.id],
  )
  assert.ok(soleInteraction.id !== sharedInteraction.id)
  assert.deepEqual(
    (await bob.call('get_deal', { deal_id: deal.id })).contacts.map(
      (contact: { id: string }) => contact.id,
    ),
    [other.id],
  )
  assert.deepEqual(
    await bob.call(
      'create_contact',
      {
        name: 'Zyxwana Qqcanary',
        emails: ['zyx.former@canary.example'],
        phones: ['030 901877'],
        title: 'qqtitle',
        note: 'qq-note-word',
        custom_fields: { hobby: 'qq-field-word' },
      },
      { key, idempotencyKey: 'planted' },
    ),
    { erased: true },
    'a repeated request does not create the contact again',
  )
})

test('the call log still verifies, the tombstone has only an id and a time, and subscribers are notified of the erasure', async () => {
  const { bob } = workspace
  assert.deepEqual(
    (await verifyCalls(workspace.app.store.read)).filter((report) => report.broken !== undefined),
    [],
  )
  const tombstones = workspace.app.store.raw.read
    .prepare('SELECT * FROM contact_tombstones')
    .all() as Record<string, unknown>[]
  assert.deepEqual(
    tombstones.map((stone) => Object.keys(stone)),
    [
      ['id', 'org_id', 'erased_at'],
      ['id', 'org_id', 'erased_at'],
    ],
  )
  const changes: any[] = []
  for (let next: string | undefined, page: any; !page || page.has_more; next = page.next_cursor)
    changes.push(
      ...(page = await bob.call('list_changes', {
        types: ['contact'],
        limit: 100,
        ...(next ? { cursor: next } : {}),
      })).items,
    )
  const deletions = changes.filter(
    (change: { op: string; item: { id: string } }) =>
      change.op === 'deleted' && tombstones.some((stone) => stone.id === change.item.id),
  )
  assert.deepEqual(
    deletions.map((end: { item: object; fields: unknown[] }) => [
      Object.keys(end.item),
      end.fields,
    ])[0],
    [['type', 'id'], []],
  )
})

test('a contact in the trash can also be erased', async () => {
  const { ann, bob } = workspace
  const createdContact = await bob.call('create_contact', { name: 'In The Trash' })
  await bob.call('delete_contact', { contact_id: createdContact.id })
  assert.equal(
    (await ann.call('delete_contact', { contact_id: createdContact.id, erase: true })).erased
      .contacts,
    1,
  )
  assert.equal(
    (await bob.refused('restore_item', { item_id: createdContact.id })).code,
    'not_found',
  )
})
