import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../kernel/refusal.ts'
import { checkPassword } from './passwords.ts'

const refusalText = (password: string) => {
  try {
    checkPassword(password)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal && error.more.field === 'password')
    assert.ok(!error.body().message.includes(password) || password.length < 3)
    return error.message
  }
}

test('a password has 12 to 128 characters of any kind', () => {
  for (const good of [
    'otter lamp seven moss',
    '𝔬𝔱𝔱𝔢𝔯 𝔩𝔞𝔪𝔭 𝔰𝔢',
    'жук лампа мох',
    ' \u0001spaces too ',
    'x9!Kq2mZ7pLw',
    'Tr'.padEnd(128, 'abcdefg hij'),
  ])
    assert.equal(refusalText(good), undefined, good)
  assert.match(refusalText('otter lamp7')!, /at least 12/)
  assert.match(refusalText('otter lamp seven moss '.repeat(6))!, /at most 128/)
})

test('common passwords are refused, in any disguise', () => {
  const bad = [
    '123456789012',
    'aaaaaaaaaaaa',
    'leavemealone',
    'LeaveMeAlone',
    'leave me alone',
    'dragon123456',
    '!!Liverpool2026!!',
    'p@ssw0rd!2026',
    'monkeymonkey',
    'Sunshine2026!',
    'motherfucker',
    'welcome welcome 1',
    '1q2w3e4r5t6y',
  ]
  assert.deepEqual(
    bad.filter((password) => refusalText(password) === undefined),
    [],
  )
})

test('a few unrelated common words are a good password', () => {
  for (const good of [
    'dragon teapot window nine',
    'monkey river candle',
    '83920174628-teapot-993847',
  ])
    assert.equal(refusalText(good), undefined, good)
})
