import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeMarkup } from './quote-marks.ts'

test('bold, strikethrough or code cut by a passage is closed there, and other markup is kept', () => {
  const cases = [
    ['then **ship the rest', 'then **ship the rest**'],
    ['ship the rest** now', '**ship the rest** now'],
    ['of **bold** and ~~gone', 'of **bold** and ~~gone~~'],
    ['make release` first', '`make release` first'],
    ['plain, **bold**, `code`', 'plain, **bold**, `code`'],
  ]
  for (const [text, closed] of cases) assert.equal(closeMarkup(text ?? ''), closed)
})
