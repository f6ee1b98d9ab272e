import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPhrase } from './phrase.ts'

test('a phrase gives time, duration and attendees', () => {
  const all: [string, string, number | undefined, string[]][] = [
    ['tomorrow 14:00 1h with tom', 'tomorrow 14:00', 60, ['tom']],
    ['next tuesday 9:30 for 45 min', 'next tuesday 9:30', 45, []],
    [
      'friday 1.5h with Ada Long, bob@acme.test and eve',
      'friday',
      90,
      ['Ada Long', 'bob@acme.test', 'eve'],
    ],
    ['in 2 hours', 'in 2 hours', undefined, []],
    ['in 2 hours 30m', 'in 2 hours', 30, []],
    ['fri 15:00', 'fri 15:00', undefined, []],
    ['', '', undefined, []],
  ]
  for (const [text, timePhrase, minutes, guests] of all)
    assert.deepEqual(readPhrase(text), { timePhrase, minutes, guests }, text)
})
