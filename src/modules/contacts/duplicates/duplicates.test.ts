import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { cpuWatch } from '../../../testing/cost.ts'
import { duplicateGroups, type DuplicateCandidate } from './rules.ts'
import { parseDomain } from '../contacts/domains.ts'
import { mailboxOf, parseEmail } from '../contacts/emails.ts'
import { jaroWinkler, nameLikeness, nameWords } from './similarity.ts'
import { countryOfTimezone, parsePhone } from '../contacts/phones.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const likeness = (name: string, other: string) => nameLikeness(nameWords(name), nameWords(other))

test('names match in any order, with accents, titles and typos, but not by a single common word', () => {
  assert.equal(likeness('Dr. Jörg Müller', 'Muller, Jorg'), 1)
  assert.ok(likeness('Jonathan Smith', 'Jonathon Smith') > 0.9)
  assert.ok(likeness('J. Smith', 'Jane Smith') > 0.9)
  assert.ok(likeness('Jane Smith', 'Peter Smith') < 0.9)
  assert.ok(likeness('Smith', 'Jane Smith') < 0.9)
  assert.equal(Math.round(jaroWinkler('martha', 'marhta') * 1000), 961) // Winkler's own example
  assert.equal(Math.round(jaroWinkler('dwayne', 'duane') * 1000), 840)
})

test('addresses, numbers and domains are recognized in common notations', () => {
  assert.equal(parseEmail('"Jörg" <J.Müller@Müller.DE>'), 'j.müller@xn--mller-kva.de')
  for (const none of ['x@y', 'a b@c.de', '.a@b.de', 'a@-b.de', '@b.de', 'con_01'])
    assert.equal(parseEmail(none), undefined, none)
  assert.equal(mailboxOf('j.o.e+news@googlemail.com'), 'joe@gmail.com')
  assert.equal(mailboxOf('jo.e+news@acme.example'), 'jo.e@acme.example')
  assert.equal(parsePhone('0049 (30) 90 18 20', undefined), '+4930901820')
  assert.equal(parsePhone('030 901820', 'DE'), '+4930901820')
  assert.equal(parsePhone('ext. only', 'DE'), undefined)
  assert.deepEqual(
    [
      countryOfTimezone('Europe/Berlin'),
      countryOfTimezone('America/New_York'),
      countryOfTimezone('UTC'),
    ],
    ['DE', 'US', undefined],
  )
  assert.deepEqual(
    ['https://www.Acme.com/about?x', 'müller.de', '1.2.3.4', 'acme'].map(parseDomain),
    ['acme.com', 'xn--mller-kva.de', undefined, undefined],
  )
})

test('groups come with their reason, most certain first, and each set of contacts once', async () => {
  const { ann, eve } = workspace
  const company = await ann.call('create_company', { name: 'Acme', domain: 'acme.example' })
  const createContact = (name: string, more: object = {}) =>
    ann.call('create_contact', { name, ...more })
  const [a, b] = [
    await createContact('Jane Doe', { emails: ['jane@acme.example'], title: 'CTO' }),
    await createContact('Jane', { emails: ['jane+fair@acme.example'], company_id: null }),
  ]
  const [c, d] = [
    await createContact('Max Power', { phones: ['+4930901820'] }),
    await createContact('Power, Max', { phones: ['030 901820'] }),
  ]
  const [e, f] = [
    await createContact('Jonathan Smith', { company_id: company.id }),
    await createContact('Jonathon Smith', { company_id: company.id }),
  ]
  await createContact('Jonathan Smith', {
    company_id: (await ann.call('create_company', { name: 'Other' })).id,
  })
  const { items } = await ann.call('find_duplicate_contacts')
  const groups = items.map((item: any) => [
    item.reason,
    item.contacts.map((who: any) => who.id).sort(),
  ])
  assert.deepEqual(groups, [
    ['same_email', [a.id, b.id]],
    ['same_phone', [c.id, d.id]],
    ['similar_name_and_company', [e.id, f.id]],
  ])
  assert.equal(items[0].suggested_keep, a.id)
  assert.ok(items.every((item: any) => item.confidence > 0.5 && item.confidence <= 1))
  const first = await ann.call('find_duplicate_contacts', { limit: 1 })
  const second = await ann.call('find_duplicate_contacts', { limit: 2, cursor: first.next_cursor })
  assert.deepEqual(
    [second.items.map((item: any) => item.reason), second.has_more],
    [['same_phone', 'similar_name_and_company'], false],
  )
  await ann.call('merge_contacts', { contact_id: c.id, duplicate_ids: [d.id] })
  assert.equal((await ann.call('find_duplicate_contacts')).items.length, 2)
  assert.deepEqual((await eve.call('find_duplicate_contacts')).items, [])
})

test('ten thousand contacts are compared quickly, without comparing every pair', () => {
  const candidates: DuplicateCandidate[] = Array.from({ length: 10_000 }, (_, i) => ({
    id: `con_${String(i).padStart(6, '0')}`,
    name: `${['Jane', 'John', 'Ada', 'Max', 'Eva'][i % 5]} ${(i * 7919).toString(36)}`,
    trust: null,
    company_id: `cmp_${i % 300}`,
    emails: [`p${i % 9_000}@x${(i % 9_000) % 300}.example`],
    phones: [],
  }))
  const spent = cpuWatch()
  const groups = duplicateGroups(candidates)
  assert.ok(spent() < 3000, `${spent()} ms`)
  assert.equal(groups.filter((group) => group.reason === 'same_email').length, 1000)
})
