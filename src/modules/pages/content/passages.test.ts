import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuWatch } from '../../../testing/cost.ts'
import { anchorAt, currentOffset } from './anchors.ts'
import { changedRange } from '../../../kernel/text/stretch.ts'
import { unifiedDiff } from './diffs.ts'
import { pageOutline } from './outline.ts'
import { addText, applyEdit, replacePassage, replaceSection } from './passages.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { slice } from './slices.ts'

const replaceSectionIn = (body: string, section: string, text: string) =>
  applyEdit(body, replaceSection(body, pageOutline(body), section, text))

test('replacing a section preserves the blank lines around it', () => {
  assert.equal(replaceSectionIn('# A\nold\n# B\n', 'A', 'new'), '# A\nnew\n\n# B\n')
  assert.equal(
    replaceSectionIn('# A\r\n\r\nold\r\n\r\n# B\r\n', 'A', 'new'),
    '# A\r\n\r\nnew\r\n\r\n# B\r\n',
  )
  assert.equal(replaceSectionIn('# A', 'A', 'new'), '# A\n\nnew')
  assert.equal(replaceSectionIn('# A\n\nold\n', 'A', 'new'), '# A\n\nnew\n')
  assert.equal(replaceSectionIn('# A\n\n# B\n', 'A', 'new\n'), '# A\n\nnew\n\n# B\n')
  assert.equal(
    replaceSectionIn('# A\n\n## C\n\nold\n\n# B\n', 'A', '## D\n\nnew'),
    '# A\n\n## D\n\nnew\n\n# B\n',
  )
  assert.equal(replaceSectionIn('Title\n=====\n\nold\n', 'title', 'new'), 'Title\n=====\n\nnew\n')
})

test('editing texts with very many blank lines is fast', () => {
  const body = `# A\n${'\n'.repeat(500_000)}x${'\n'.repeat(500_000)}# B\n`
  const spent = cpuWatch()
  const outline = pageOutline(body)
  applyEdit(body, addText(body, outline, 'y', { under: 'A', position: 'end' }))
  applyEdit(body, replaceSection(body, outline, 'A', 'y'))
  assert.ok(spent() < 2000)
})

/** Candidate lines named in a refusal. */
function candidates(body: string, find: string): number[] {
  try {
    replacePassage(body, [], find, '')
  } catch (error) {
    if (error instanceof Refusal)
      return (error.more.context!.candidates as { line: number }[]).map(
        (candidate) => candidate.line,
      )
    throw error
  }
  return assert.fail('the passage occurs in the text')
}

test('a passage is matched as shown to an assistant: without invisible characters, with plain spaces and line breaks', () => {
  for (const [body, find, after] of [
    ['Price: 40\u00a0EUR for each seat.\n', 'Price: 40 EUR for each seat.', 'X\n'],
    ['In prod\u200buction\u200b now', 'production', 'In X\u200b now'],
    ['One\r\ntwo\r\nthree', 'One\ntwo', 'X\r\nthree'],
    ['A \u202ftext\u00adwith\ufeff marks', 'A  textwith marks', 'X'],
    ['Das Cafe\u0301 am Eck', 'Café', 'Das X am Eck'],
    ['Das Café am Eck', 'Cafe\u0301', 'Das X am Eck'],
    ['plain', 'pla\u200bin', 'X'],
  ] as const) {
    const edit = replacePassage(body, pageOutline(body), find, 'X')
    assert.equal(applyEdit(body, edit), after, JSON.stringify(body))
  }
  assert.deepEqual(candidates('a\u00a0b\na\u2009b\n', 'a b'), [1, 2])
  assert.deepEqual(candidates('\u200b\u200b', '\u200b\u200c'), [])
})

test('a heading is matched as shown to an assistant', () => {
  for (const [body, heading] of [
    ['# Roll\u00adout\u00a0plan\n\nold\n', 'Rollout plan'],
    ['# \u2066Setup\u2069\n\nold\n', '# Setup'],
    ['# Cafe\u0301\n\nold\n', 'café'],
  ] as const)
    assert.match(replaceSectionIn(body, heading, 'new'), /\n\nnew\n$/, JSON.stringify(body))
})

test('a comment is anchored at a passage as shown to an assistant', () => {
  const body = 'Costs 40\u00a0EUR.\r\nAlso 40\u00a0EUR here.'
  assert.equal(anchorAt(body, '40 EUR')?.quote, '40\u00a0EUR')
  assert.equal(anchorAt(body, '40 EUR', 30)?.start, body.lastIndexOf('40'))
  assert.equal(anchorAt(body, 'EUR.\nAlso')?.quote, 'EUR.\r\nAlso')
  assert.equal(anchorAt(body, '41 EUR'), undefined)
})

test('a passage that differs only in white space or letter case is reported with its lines', () => {
  const body = 'One\n\nThe  Quick\nbrown\u00a0Fox\nthe quick brown FOX.\nÄrger İstanbul a.*b\n'
  assert.deepEqual(candidates(body, ' the quick  brown fox '), [3, 5])
  assert.deepEqual(candidates(body, 'ärger\tİSTANBUL'), [6])
  assert.deepEqual(candidates(body, 'A.*B'), [6])
  assert.deepEqual(candidates(body, 'a.b'), [])
  assert.deepEqual(candidates('x'.repeat(50), ' '), [])
  assert.deepEqual(candidates('Ab '.repeat(50), 'aB').length, 20)
})

test('searching a long page for a long passage takes time linear in their lengths', () => {
  for (const [body, find] of [
    ['a'.repeat(10_000_000), `${'a'.repeat(99_998)} b`],
    ['a '.repeat(5_000_000), `${'a  '.repeat(33_000)}b`],
    ['ab'.repeat(5_000_000), `${'ab'.repeat(49_999)}c`],
  ] as const) {
    const spent = cpuWatch()
    assert.deepEqual(candidates(body, find), [])
    assert.ok(spent() < 4000, `${spent()} ms`)
  }
})

test('the differing range of two texts never splits a character', () => {
  for (const [a, b] of [
    ['a👍b', 'a👎b'],
    ['👍', '👍👍'],
    ['', '👍'],
    ['x', 'x'],
    ['👍👍', '👍'],
  ] as const) {
    const { start, end, insert } = changedRange(a, b)
    assert.equal(a.slice(0, start) + insert + a.slice(end), b)
    assert.ok(insert.isWellFormed())
  }
})

test('a slice never splits a character, and reports where to continue', () => {
  assert.deepEqual(slice('👍👎', 0, 4, 0, 1), { body_markdown: '👍', offset: 0, next_offset: 2 })
  assert.deepEqual(slice('👍👎', 0, 4, 3, 5), { body_markdown: '👎', offset: 2 })
  assert.deepEqual(slice('abc', 1, 3, 9), { body_markdown: '', offset: 2 })
})

test('a diff of long texts names the lines that differ, and all lines of unrelated texts', () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `line ${i}`)
  const before = lines.join('\n')
  lines[2500] = 'other'
  assert.equal(
    unifiedDiff(before, lines.join('\n'), { from: 'a', to: 'b' }),
    '--- a\n+++ b\n@@ -2498,7 +2498,7 @@\n line 2497\n line 2498\n line 2499\n-line 2500\n+other\n line 2501\n line 2502\n line 2503\n',
  )
  const unrelatedDiff = unifiedDiff(
    before,
    Array.from({ length: 5000 }, (_, i) => `${i} else`).join('\n'),
    { from: 'a', to: 'b' },
  )
  assert.match(unrelatedDiff, /@@ -1,5000 \+1,5000 @@\n-line 0\n/)
  assert.equal(unifiedDiff('a', 'a', { from: 'a', to: 'b' }), '')
})

test('a passage that occurs several times is resolved by its surroundings', () => {
  const anchor = anchorAt('one fish, two fish', 'fish')!
  assert.equal(currentOffset('red fish, one fish, two fish', anchor), 14)
  assert.equal(currentOffset('no bird', anchor), undefined)
})
