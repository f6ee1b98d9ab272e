import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reachabilityOf } from './reach.ts'

test('an https address with a public name or IP is reachable by everyone', () => {
  for (const url of [
    'https://work.example.org',
    'https://work.example.org:8443',
    'https://9.9.9.9',
    'https://[2606:4700:4700::1111]',
  ])
    assert.deepEqual(reachabilityOf(url), { url, warnings: [] })
})

test('an address that excludes some clients gets a warning with the setting to change', () => {
  const cases: [string, RegExp][] = [
    ['http://localhost:8420', /on this machine/],
    ['http://127.0.0.1:8420', /on this machine/],
    ['https://[::1]:8420', /on this machine/],
    ['https://192.168.1.5', /private network/],
    ['https://10.0.0.1:8443', /private network/],
    ['https://100.64.0.1', /private network/],
    ['https://[fd00::5]', /private network/],
    ['https://nas', /no domain/],
    ['https://work.local', /private network/],
    ['https://work.home.arpa', /private network/],
    ['http://work.example.org', /http:\/\//],
  ]
  for (const [url, expected] of cases) {
    const { warnings } = reachabilityOf(url)
    assert.equal(warnings.length, 1, url)
    assert.match(warnings[0]!, expected, url)
    assert.match(warnings[0]!, /--base-url https/)
  }
  assert.equal(reachabilityOf('http://192.168.1.5').warnings.length, 2)
})
