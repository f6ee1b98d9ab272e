import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationsFor, groupsFor, settingsGroups } from './destinations.ts'

const pathsFor = (role: Parameters<typeof destinationsFor>[0]) =>
  destinationsFor(role).map(({ to }) => to)

test('members and guests are not offered the pages of administrators', () => {
  const adminPaths = pathsFor('admin').filter((to) => !pathsFor('member').includes(to))
  assert.ok(adminPaths.includes('/settings/people'))
  for (const role of ['member', 'guest'] as const)
    assert.deepEqual(
      groupsFor(settingsGroups, role)
        .flatMap((group) => group.destinations.map(({ to }) => to))
        .filter((to) => adminPaths.includes(to)),
      [],
    )
  assert.deepEqual(
    groupsFor(settingsGroups, 'guest').filter((group) => group.destinations.length === 0),
    [],
  )
})
