import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categoryOf } from './statuses.ts'

test('a negated or future word in a status does not count as that word', () => {
  for (const name of [
    'To be started',
    'No progress',
    'Not in progress',
    'Not started',
    'Not yet in progress',
    "Hasn't started",
    'not done',
    'Not completed',
    'No longer blocked',
    'Incomplete',
    'Yet to begin',
    'To be assigned',
    'Development: not started',
    'nicht begonnen',
    'Noch nicht in Arbeit',
    'Nicht erledigt',
    'Zu erledigen',
    'Non commencé',
    'Pas terminé',
    'Sin empezar',
    'No iniciado',
    'Niet gestart',
  ])
    assert.equal(categoryOf(name), 'todo', name)
})

test('words next to a negated one keep their meaning', () => {
  const expected = {
    'In progress, not blocked': 'in_progress',
    'Started, not finished': 'in_progress',
    'Done (not released)': 'done',
    'Not needed': 'cancelled',
    'No longer relevant': 'cancelled',
    "Won't do": 'cancelled',
    'Not planned': 'cancelled',
    'Nicht mehr benötigt': 'cancelled',
    'To be reviewed': 'in_progress',
  }
  for (const [name, category] of Object.entries(expected))
    assert.equal(categoryOf(name), category, name)
})

test('statuses map to the category they express, and meaningless ones to none', () => {
  const expected = {
    'In Progress': 'in_progress',
    'In QA': 'in_progress',
    'Code review': 'in_progress',
    'In Bearbeitung': 'in_progress',
    'En cours': 'in_progress',
    'Almost done': 'in_progress',
    Done: 'done',
    Erledigt: 'done',
    Terminé: 'done',
    'To Do': 'todo',
    Offen: 'todo',
    'À faire': 'todo',
    Backlog: 'backlog',
    Cancelled: 'cancelled',
    Duplicate: 'cancelled',
    'No status': undefined,
    None: undefined,
    Blocked: undefined,
  }
  for (const [name, category] of Object.entries(expected))
    assert.equal(categoryOf(name), category, name)
})
