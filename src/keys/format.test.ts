import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { displayPrefix, findKeys, keyPattern, mintKey, parseKey } from './format.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const MINTED = 20_000
// Checksums from another implementation. Keys in use must stay valid, so alphabet, lengths and checksum cannot change.
const OLD_KEY = 'svc_k3J9xQ2aB7Lm0123456789abcdefghijklmnopqrstuvwxyzABCDEFG3NUIKW'
const OLD_KEY_WITH_SMALL_CHECKSUM =
  'svc_k3J9xQ2aB7Lm0123456789abcdefghijklmnopqrstuvwxyzABC05of000n6M'

const keys: ReturnType<typeof mintKey>[] = []
before(() => {
  for (let n = 0; n < MINTED; n++) keys.push(mintKey())
})

/** The key with one character replaced. */
function withCharacter(key: string, at: number, by: string): string {
  return key.slice(0, at) + by + key.slice(at + 1)
}

test('a minted key has the documented format and can be parsed', () => {
  for (const { key, lookup, secret, prefix } of keys) {
    assert.match(key, /^svc_[0-9A-Za-z]{61}$/)
    assert.deepEqual(parseKey(key), { lookup, secret })
    assert.equal(key.slice(0, 59), `svc_${lookup}${secret}`)
    assert.equal(prefix, `${key.slice(0, 12)}…`)
  }
})

test('a key issued long ago still parses the same', () => {
  assert.deepEqual(parseKey(OLD_KEY), {
    lookup: 'k3J9xQ2aB7Lm',
    secret: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
  })
  assert.ok(parseKey(OLD_KEY_WITH_SMALL_CHECKSUM))
})

test('no two of 20,000 keys share their lookup or their secret', () => {
  assert.equal(new Set(keys.map((key) => key.lookup)).size, MINTED)
  assert.equal(new Set(keys.map((key) => key.secret)).size, MINTED)
})

// With 61 degrees of freedom, chance alone exceeds this once in 10^17.
const IMPROBABLE = 210

/** Chi-square distance of these characters from a uniform distribution. */
function chiSquare(characters: Iterable<string>): number {
  const seen = new Map([...ALPHABET].map((character) => [character, 0]))
  for (const character of characters) seen.set(character, (seen.get(character) ?? 0) + 1)
  const total = [...seen.values()].reduce((sum, count) => sum + count, 0)
  const expected = total / seen.size
  return [...seen.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

test('at every random position every character is equally likely', () => {
  for (let at = 4; at < 59; at++) {
    const unevenness = chiSquare(keys.map(({ key }) => key.charAt(at)))
    assert.ok(unevenness < IMPROBABLE, `position ${at}: ${unevenness}`)
  }
})

test('over all positions every character is equally likely, precisely enough to detect a modulo bias', () => {
  const unevenness = chiSquare(keys.map(({ lookup, secret }) => lookup + secret).join(''))
  assert.ok(unevenness < IMPROBABLE, `${unevenness}, and a bias would bring about 7,300`)
})

test('a key with one character replaced is invalid', () => {
  for (const { key } of keys.slice(0, 20)) {
    for (let at = 0; at < key.length; at++) {
      for (const by of ALPHABET) {
        if (by !== key.charAt(at))
          assert.equal(parseKey(withCharacter(key, at, by)), undefined, `${at} ${by}`)
      }
    }
  }
})

test('a key with two adjacent characters swapped is invalid', () => {
  for (const { key } of keys.slice(0, 200)) {
    for (let at = 0; at + 1 < key.length; at++) {
      const swapped = withCharacter(
        withCharacter(key, at, key.charAt(at + 1)),
        at + 1,
        key.charAt(at),
      )
      if (swapped !== key) assert.equal(parseKey(swapped), undefined)
    }
  }
})

test('only an exact key without anything around it parses as a key', () => {
  const { key } = mintKey()
  const others = [
    '',
    'svc_',
    ` ${key}`,
    `${key}\n`,
    `${key}x`,
    key.slice(0, -1),
    key.toUpperCase(),
    `"${key}"`,
    key.replace('svc_', 'svc-'),
  ]
  for (const other of others) assert.equal(parseKey(other), undefined, JSON.stringify(other))
})

test('lists show the first twelve characters of a key', () => {
  assert.equal(displayPrefix('k3J9xQ2aB7Lm'), 'svc_k3J9xQ2a…')
})

test('the pattern for scanners finds keys in a text', () => {
  const { key } = mintKey()
  assert.deepEqual(`WORKSPACE_KEY=${key};`.match(new RegExp(keyPattern, 'g')), [key])
})

test('keys are found in a text regardless of surrounding characters', () => {
  const [first, second] = [mintKey().key, mintKey().key]
  assert.deepEqual(findKeys(`Authorization: Bearer ${first}\nold: "${second}"`), [first, second])
  assert.deepEqual(findKeys(`my_${first}${second}and more`), [first, second])
})

test('a near miss right before a key does not hide it', () => {
  const { key } = mintKey()
  assert.deepEqual(findKeys(`svc_${'a'.repeat(58)}${key}`), [key])
})

test('texts that merely resemble a key yield none', () => {
  assert.deepEqual(findKeys(''), [])
  assert.deepEqual(findKeys(withCharacter(mintKey().key, 30, '-')), [])
  assert.deepEqual(findKeys(`svc_${'a'.repeat(61)}`), [])
})
