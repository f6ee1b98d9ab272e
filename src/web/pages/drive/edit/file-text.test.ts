import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxEditableBytes, storedText, decodeText, uneditableReason } from './file-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('a text is restored byte for byte, with its line endings and byte order mark', () => {
  for (const text of ['', 'a', 'a\nb\n', 'a\r\nb\r\n', '\ufeffa\r\nb', 'Grüße 🙂\n']) {
    const read = decodeText(bytes(text))
    assert.ok(typeof read !== 'string', text)
    assert.ok(!read.text.includes('\r') && !read.text.includes('\ufeff'))
    assert.equal(storedText(read.text, read), text)
  }
})

test('a text that could not be restored exactly is not editable', () => {
  assert.equal(decodeText(bytes('a\r\nb\n')), 'mixedEnds')
  assert.equal(decodeText(bytes('a\rb')), 'mixedEnds')
  assert.equal(decodeText(bytes('a\0b')), 'notText')
  assert.equal(decodeText(Uint8Array.of(0x61, 0xff)), 'notText')
  assert.equal(decodeText(new Uint8Array(maxEditableBytes + 1)), 'tooLarge')
})

test('kind and size determine whether a file is editable', () => {
  const reasonFor = (mime_type: string, size_bytes = 10) =>
    uneditableReason({ mime_type, size_bytes })
  for (const mime of ['text/plain', 'text/markdown', 'text/html', 'application/json', 'a/b+xml'])
    assert.equal(reasonFor(mime), undefined, mime)
  for (const mime of ['image/png', 'application/pdf', 'text/rtf', 'application/octet-stream'])
    assert.equal(reasonFor(mime), 'notText', mime)
  assert.equal(reasonFor('text/plain', maxEditableBytes + 1), 'tooLarge')
  assert.equal(reasonFor('image/png', maxEditableBytes + 1), 'notText')
})
