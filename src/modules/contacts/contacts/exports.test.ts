import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const csv = async (who: Someone, args: Record<string, unknown> = {}) =>
  (await who.call('export_contacts', args)).inline
const records = (text: string): any[] => parse(text, { columns: true, bom: true })

const erikaFields = {
  name: 'Erika Muster, Dr.',
  emails: ['erika@muster.example', 'e.muster@else.example'],
  phones: ['+4930901820', '+4930901821'],
  title: '=cmd|calc',
  note: 'First line\nsecond "line"; and more',
}

test('contacts exported and imported elsewhere are identical', async () => {
  const { ann, eve } = workspace
  const company = await ann.call('create_company', { name: 'Muster', domain: 'muster.example' })
  const label = await ann.call('create_label', { name: 'Customer' })
  await ann.call('create_contact', {
    ...erikaFields,
    company_id: company.id,
    label_ids: [label.id],
    custom_fields: { Region: 'North', 'Since when?': '-2019' },
  })
  await ann.call('create_contact', { name: "'+Plus" })
  const text = await csv(ann)
  const imported = await eve.call('import_contacts', { content: text })
  assert.deepEqual(imported.counts, { created: 2, updated: 0, unchanged: 0, skipped: 0 })
  const outline = async (who: Someone) =>
    (await who.call('list_contacts')).items.map((row: any) => ({
      name: row.name,
      emails: row.emails,
      phones: row.phones,
      title: row.title,
      note: row.note,
      company: row.company?.title,
      labels: row.labels.map((item: any) => item.title),
      custom_fields: row.custom_fields,
    }))
  assert.deepEqual(await outline(eve), await outline(ann))
  const [importedCompany] = (await eve.call('list_companies')).items
  assert.deepEqual([importedCompany.name, importedCompany.domain], ['Muster', 'muster.example'])
  const withoutOrigin = (row: any) => ({ ...row, workspace_url: '', created_at: '', owner: '' })
  assert.deepEqual(records(await csv(eve)).map(withoutOrigin), records(text).map(withoutOrigin))
})

test('importing an export in the same place changes nothing', async () => {
  const { ann } = workspace
  await ann.call('create_contact', {
    name: 'Numbers',
    emails: ['n@else.example'],
    custom_fields: { Age: 7, Vip: true, Tags: ['a', 'b'] },
  })
  const args = { query: 'Numbers' }
  const { counts } = await ann.call('import_contacts', { content: await csv(ann, args) })
  assert.deepEqual(counts, { created: 0, updated: 0, unchanged: 1, skipped: 0 })
  const { custom_fields } = await ann.call('get_contact', { contact_id: 'n@else.example' })
  assert.deepEqual(custom_fields, { Age: 7, Vip: true, Tags: ['a', 'b'] })
})

test('no cell starts with a formula', async () => {
  const { ann } = workspace
  const [row] = records(await csv(ann, { query: 'Erika' }))
  assert.equal(row.title, "'=cmd|calc")
  assert.equal(row.phones, "'+4930901820; +4930901821")
})

test('filters apply, and companies are exported too', async () => {
  const { ann } = workspace
  const names = async (args: Record<string, unknown>) =>
    records(await csv(ann, args)).map((row) => row.name)
  assert.deepEqual(await names({ label_id: ['Customer'] }), [erikaFields.name])
  assert.deepEqual(await names({ company_id: 'muster.example' }), [erikaFields.name])
  assert.deepEqual(await names({ owner_id: ann.id }), [])
  const companies = records(await csv(ann, { of: 'companies' }))
  assert.deepEqual(
    companies.map((row) => [row.company, row.domain]),
    [['Muster', 'muster.example']],
  )
})

test('an export that is too large for the result can be downloaded only by its requester', async () => {
  const { ann, bob, clock } = workspace
  const note = 'x'.repeat(19_000)
  for (let i = 0; i < 60; i++) await ann.call('create_contact', { name: `Long ${i}`, note })
  const result = await ann.call('export_contacts', { query: 'Long' })
  assert.deepEqual([result.inline, result.item_count], [undefined, 60])
  const token = result.download_url.split('/').at(-1)
  const { download } = await ann.call('download_contact_export', { token })
  const text = Buffer.from(download.content_base64, 'base64').toString()
  assert.equal(text.charCodeAt(0), 0xfeff)
  assert.equal(records(text).length, 60)
  assert.equal(Buffer.byteLength(text) - 3, result.size_bytes)
  assert.equal((await bob.refused('download_contact_export', { token })).code, 'not_found')
  assert.equal((await ann.refused('download_time_export', { token })).code, 'not_found')
  clock.at += 11 * 60_000
  assert.equal((await ann.refused('download_contact_export', { token })).code, 'not_found')
})

test('guests cannot export anything from the directory', async () => {
  const guest = await workspace.person('Gus', { role: 'guest' })
  assert.equal((await guest.call('export_contacts')).item_count, 0)
})
