import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linksIn } from './links.ts'

const links = (text: string) => linksIn(text).filter((part) => part.href !== undefined)

test('an address is shown by the host that the browser would ask, whatever it looks like', () => {
  assert.deepEqual(links('Pay at https://bank.example.evil.test/login?session=1234567890123456'), [
    {
      at: 7,
      text: 'bank.example.evil.test/login?session=123456789…',
      href: 'https://bank.example.evil.test/login?session=1234567890123456',
    },
  ])
  // the first letter is Cyrillic
  assert.equal(links('https://аpple.com/')[0]?.text, 'xn--pple-43d.com')
})

test('an address with a login in it, which shows another host than it leads to, stays text', () => {
  const text = 'Go to https://bank.example@evil.test/ now'
  assert.deepEqual(linksIn(text), [{ at: 0, text }])
})

test('what ends the sentence is no part of the address, and nothing of the text is lost', () => {
  const text = 'See (https://a.test/x), https://b.test/wiki/A_(b). And javascript:alert(1)!'
  assert.deepEqual(
    links(text).map((part) => part.href),
    ['https://a.test/x', 'https://b.test/wiki/A_(b)'],
  )
  assert.equal(
    linksIn(text)
      .map((part) => part.text)
      .join(''),
    text.replaceAll('https://', ''),
  )
})
