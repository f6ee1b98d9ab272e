import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationsFor, groupsFor, settings } from './destinations.ts'

const addresses = (role: Parameters<typeof destinationsFor>[0]) =>
  destinationsFor(role).map(({ to }) => to)

test('members and guests are not offered the pages of administrators', () => {
  const pagesOfAdmins = addresses('admin').filter((to) => !addresses('member').includes(to))
  assert.ok(pagesOfAdmins.includes('/settings/people'))
  for (const role of ['member', 'guest'] as const)
    assert.deepEqual(
      groupsFor(settings, role)
        .flatMap((group) => group.destinations.map(({ to }) => to))
        .filter((to) => pagesOfAdmins.includes(to)),
      [],
    )
  assert.deepEqual(
    groupsFor(settings, 'guest').filter((group) => group.destinations.length === 0),
    [],
  )
})
