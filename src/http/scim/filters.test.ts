import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { filterPath, scimClient, type ScimClient } from './testing.ts'

// Filters from RFC 7644 (3.4.2.2), each with its matches.

let served: ServedWorkspace
let scim: ScimClient
const ids = new Map<string, string>()

before(async () => {
  served = await serveWorkspace()
  scim = await scimClient(served, served.ann, { domains: ['dir.test'] })
  for (const [name, more] of [
    ['ada', { displayName: 'Ada Byron', title: 'Tour Guide', externalId: 'A1' }],
    ['bob', { displayName: 'Bob 100%_\\ "Quote"', externalId: 'a1', active: false }],
    ['cem', { displayName: 'Çem Ünal', name: { givenName: 'Çem', familyName: 'Ünal' } }],
  ] as const) {
    const { id } = await scim.post('/Users', { userName: `${name}@dir.test`, ...more })
    ids.set(name, id)
  }
})
after(() => served.close())

const table: [filter: () => string, finds: string][] = [
  [() => 'userName eq "ada@dir.test"', 'ada'],
  [() => 'USERNAME EQ "Ada@DIR.test"', 'ada'],
  [() => 'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "B"', 'bob'],
  [() => '  userName   eq   "ada@dir.test"  ', 'ada'],
  [() => `id eq "${ids.get('cem')}"`, 'cem'],
  [() => `id eq "${ids.get('cem')?.toUpperCase()}"`, ''],
  [() => 'externalId eq "A1"', 'ada'],
  [() => 'externalId eq "a1"', 'bob'],
  [() => 'externalId pr', 'ada bob'],
  [() => 'not (externalId pr)', 'cem'],
  [() => 'externalId eq null', 'cem'],
  [() => 'title pr', 'ada'],
  [() => 'title ne "Tour Guide"', 'bob cem'],
  [() => 'title co "GUIDE"', 'ada'],
  [() => 'title ew "guide"', 'ada'],
  [() => 'displayName co "100%"', 'bob'],
  [() => 'displayName co "%"', 'bob'],
  [() => 'displayName co "_"', 'bob'],
  [() => String.raw`displayName co "\\"`, 'bob'],
  [() => String.raw`displayName co "\"quote\""`, 'bob'],
  [() => String.raw`name.familyName eq "\u00DCnal"`, 'cem'],
  [() => 'name.familyName eq "ÜNAL"', 'cem'],
  [() => 'displayName co "çEM"', 'cem'],
  [() => 'name.givenName pr', 'cem'],
  [() => 'active eq true', 'ada cem'],
  [() => 'active eq "False"', 'bob'],
  [() => 'active ne true', 'bob'],
  [() => 'emails.value ew "@dir.test"', 'ada bob cem'],
  [() => 'emails[type eq "work" and value sw "ada"]', 'ada'],
  [() => 'emails[type eq "home"]', ''],
  [() => 'emails[primary eq true and value co "cem"]', 'cem'],
  [() => 'userName gt "b"', 'bob cem'],
  [() => 'userName le "b"', 'ada'],
  [() => 'meta.created gt "2011-05-13T04:42:34Z"', 'ada bob cem'],
  [() => 'meta.lastModified lt "2011-05-13T04:42:34Z"', ''],
  [() => 'userName sw "a" or userName sw "b" and active eq true', 'ada'],
  [() => '(userName sw "a" or userName sw "b") and active eq false', 'bob'],
  [() => 'title pr and (externalId eq "A1" or externalId eq "x")', 'ada'],
  [() => 'not (active eq true) and userName pr', 'bob'],
  [() => 'emails[type eq "work"].value eq "ada@dir.test"', 'ada'],
  [() => 'emails[type eq "home"].value eq "ada@dir.test"', ''],
  [() => 'emails[primary eq true].value sw "b" and active eq false', 'bob'],
  [() => 'emails[type eq "work"].value pr', 'ada bob cem'],
  [() => 'phoneNumbers[type eq "mobile"].value eq "1"', ''],
  [() => 'not (addresses[type eq "work"].country pr)', 'ada bob cem'],
  [() => 'nickName ne "x"', 'ada bob cem'],
  [() => 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "Sales"', ''],
  [() => 'externalId eq A1', 'ada'],
  [() => 'userName sw ada or userName sw cem', 'ada cem'],
  [() => 'groups.value eq "grp_none"', ''],
  [() => `userName eq "x' or '1'='1"`, ''],
  [() => String.raw`userName eq "a\u0000"`, ''],
]

test(`a filter matches per RFC 7644, in ${table.length} forms`, async () => {
  for (const [filter, finds] of table) {
    const text = `(${filter()}) and userName ew "@dir.test"`
    for (const filterText of [filter(), text]) {
      const { totalResults, Resources } = await scim.get(filterPath('Users', filterText))
      const userNames = Resources.map((user: { userName: string }) => user.userName.split('@')[0])
      assert.equal(userNames.sort().join(' '), finds, filterText)
      assert.equal(totalResults, userNames.length, filterText)
    }
  }
})
