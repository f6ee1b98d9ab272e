import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linksIn } from './links.ts'

const links = (text: string) => linksIn(text).filter((part) => part.href !== undefined)

test('an address is shown with the host that the browser would contact, despite its appearance', () => {
  assert.deepEqual(links('Pay at https://bank.example.evil.test/login?session=1234567890123456'), [
    {
      offset: 7,
      text: 'bank.example.evil.test/login?session=123456789…',
      href: 'https://bank.example.evil.test/login?session=1234567890123456',
    },
  ])
  // the first letter is Cyrillic
  assert.equal(links('https://аpple.com/')[0]?.text, 'xn--pple-43d.com')
})

test('an address with credentials, which displays another host than its target, stays text', () => {
  const text = 'Go to https://bank.example@evil.test/ now'
  assert.deepEqual(linksIn(text), [{ offset: 0, text }])
})

test('punctuation at the end of a sentence is not part of the address, and no text is lost', () => {
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
