import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IncidentRow } from './data.ts'
import { compareIncidents, matchesIncidentFilter, matchesIncident } from './order.ts'

const incident = (id: string, overrides: Partial<IncidentRow>): IncidentRow =>
  ({
    id,
    key: id,
    title: id,
    severity: 'sev3',
    status: 'open',
    services: [],
    roles: { lead: null, communications: null, scribe: null },
    opened_at: '2026-11-01T00:00:00Z',
    ...overrides,
  }) as IncidentRow

const ref = (id: string, title: string) => ({ id, title, url: '' })

test('open incidents come first, by severity and then newest; closed ones by time only', () => {
  const rows = [
    incident('closed-old', { status: 'closed', severity: 'sev1' }),
    incident('closed-new', { status: 'resolved', opened_at: '2026-11-02T00:00:00Z' }),
    incident('minor', { status: 'mitigated' }),
    incident('bad-old', { severity: 'sev1' }),
    incident('bad-new', { severity: 'sev1', opened_at: '2026-11-02T00:00:00Z' }),
  ]
  assert.deepEqual(
    rows.toSorted(compareIncidents).map(({ id }) => id),
    ['bad-new', 'bad-old', 'minor', 'closed-new', 'closed-old'],
  )
})

test('the filter mine matches incidents in which the person has any role, open or not', () => {
  const roles = { lead: null, communications: null, scribe: ref('usr_1', 'Ann') }
  const mine = incident('a', { status: 'closed', roles })
  assert.deepEqual(
    [
      matchesIncidentFilter(mine, 'mine', 'usr_1'),
      matchesIncidentFilter(mine, 'mine', 'usr_2'),
      matchesIncidentFilter(mine, 'open', 'usr_1'),
    ],
    [true, false, false],
  )
})

test('every word must occur in key, title, services or people', () => {
  const row = incident('INC-7', {
    title: 'Slow search',
    services: [ref('srv_1', 'Shop')],
    roles: { lead: ref('usr_1', 'Ann Berg'), communications: null, scribe: null },
  })
  assert.equal(matchesIncident(row, 'SHOP berg inc-7'), true)
  assert.equal(matchesIncident(row, 'shop bob'), false)
  const accented = { ...row, title: 'Café: Straße gesperrt' }
  assert.equal(matchesIncident(accented, 'strasse CAFE'), true)
})
