import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { aclTokensOf } from './index.ts'
import { stem } from './stem.ts'
import { matchFor } from './full-text.ts'
import { contentStems, parseQuery } from './query.ts'
import { stemSimilarity, snippet, withoutMarkup } from './text.ts'

const termsOf = (query: string) => parseQuery(query).terms

const syntaxLikeTexts = [
  'a "b',
  '"',
  '""',
  'NEAR(',
  'x AND',
  'OR OR',
  'NOT',
  '-x',
  'a*',
  'acl : y',
  '(((',
  "it's",
  '{title} : z',
  'a:b',
  '^x',
  'ENG-42',
  '日本語 テスト',
  'naïve café',
  'x\ty\nz',
  '😀 smile',
  'a+b=c',
  '\\',
  '%_',
  ';drop table x',
]

test('no text causes a syntax error in the full-text index', () => {
  const db = new Database(':memory:')
  db.exec(
    "create virtual table f using fts5 (title, body, acl, tokenize = 'porter unicode61 remove_diacritics 2')",
  )
  db.prepare("insert into f values ('Naive cafe', 'a b ENG 42', ?)").run(
    aclTokensOf('form_response', 'prj_1'),
  )
  for (const text of syntaxLikeTexts) {
    const terms = termsOf(text)
    if (terms.any.length === 0) continue
    db.prepare('select rowid from f where f match ?').all(matchFor(terms, ['prj_1']))
    db.prepare('select rowid from f where f match ?').all(matchFor(terms))
  }
  const countMatches = (query: string, containers: string[]) =>
    db.prepare('select rowid from f where f match ?').all(matchFor(termsOf(query), containers))
      .length
  assert.equal(countMatches('naïve', ['prj_1']), 1)
  assert.equal(countMatches('naïve', ['prj_2']), 0)
  assert.equal(
    countMatches('cprj1', ['prj_1']),
    0,
    'the column of containers is not searched for words',
  )
  const countOfType = (containers: string[] | undefined, type: string) =>
    db
      .prepare('select rowid from f where f match ?')
      .all(matchFor(termsOf('naïve'), containers, [type])).length
  assert.deepEqual(
    [
      countOfType(['prj_1'], 'form_response'),
      countOfType(undefined, 'form_response'),
      countOfType(['prj_1'], 'task'),
      countOfType(undefined, 'task'),
      countOfType(['prj_2'], 'form_response'),
    ],
    [1, 1, 0, 0, 0],
  )
  assert.equal(countMatches('"b eng"', ['prj_1']), 1)
  assert.equal(countMatches('"eng b"', ['prj_1']), 0)
  db.close()
})

test('stop words are dropped, unless there is nothing else', () => {
  assert.deepEqual(termsOf('How do I reset the password').any, ['reset', 'password'])
  assert.deepEqual(termsOf('to be or not to be').any, ['to', 'be', 'or', 'not'])
  assert.deepEqual(termsOf('?! …').any, [])
})

test('stems match those of the index', () => {
  const words =
    `caresses ponies ties caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping tanned falling hissing fizzed failing filing happy sky
    relational conditional rational valenci hesitanci digitizer conformabli radicalli differentli vileli analogousli vietnamization predication operator feudalism decisiveness hopefulness
    callousness formaliti sensitiviti sensibiliti triplicate formative formalize electriciti electrical hopeful goodness revival allowance inference airliner gyroscopic adjustable defensible
    irritant replacement adjustment dependent adoption homologou communism activate angulariti homologous effective bowdlerize probate rate cease controll roll yes yellow saying enjoyment
    deployments deploying deployed authentication authenticated authorize database databases migrating migration failures failing errors a is be on oed ing y42 2nd queues queued geology`.split(
      /\s+/,
    )
  const db = new Database(':memory:')
  db.exec(
    "create virtual table f using fts5 (x, tokenize = 'porter unicode61 remove_diacritics 2'); create virtual table v using fts5vocab (f, instance)",
  )
  words.forEach((word, i) => db.prepare('insert into f (rowid, x) values (?, ?)').run(i + 1, word))
  const stemsById = new Map(
    db
      .prepare('select doc, term from v')
      .all()
      .map((row) => [(row as { doc: number }).doc, (row as { term: string }).term]),
  )
  const mismatches = words
    .filter((word, i) => stem(word) !== stemsById.get(i + 1))
    .map((word) => `${word}: ${stem(word)}, not ${stemsById.get(words.indexOf(word) + 1)}`)
  assert.deepEqual(mismatches, [])
  db.close()
})

test('a snippet shows where the words occur together, on one line', () => {
  const text = `${'Nothing to see here. '.repeat(30)}\n\nThe login page\nrejects every password since Monday. ${'More of the same. '.repeat(30)}`
  const excerpt = snippet(text, contentStems('passwords rejected'))
  assert.match(excerpt, /rejects every password since Monday/)
  assert.ok(
    excerpt.length < 280 &&
      excerpt.startsWith('… ') &&
      excerpt.endsWith(' …') &&
      !excerpt.includes('\n'),
  )
  assert.equal(snippet('Short text', contentStems('absent')), 'Short text')
  assert.equal(snippet('', contentStems('absent')), '')
  assert.ok(
    snippet(
      `${'😀'.repeat(300)} password ${'😀'.repeat(300)}`,
      contentStems('password'),
    ).isWellFormed(),
  )
})

test('likeness counts shared words in any form and order', () => {
  assert.equal(
    stemSimilarity(contentStems('Fix the login errors'), contentStems('login error fixing')),
    1,
  )
  assert.equal(stemSimilarity(contentStems('Fix the login'), contentStems('Paint the fence')), 0)
})

test('a snippet contains no Markdown markup, and keeps text that only looks like it', () => {
  const snippetOf = (text: string) => snippet(text, contentStems('absent'))
  assert.equal(
    snippetOf('start on _7 December_ at *9:30*. Mia'),
    'start on 7 December at 9:30. Mia',
  )
  assert.equal(
    snippetOf(
      '# Plan\n\n- **Bold** and `code`\n> said [here](https://x.test/a_b)\n1. ~~gone~~ \\*star',
    ),
    'Plan Bold and code said here gone *star',
  )
  assert.equal(
    snippetOf('snake_case_name 2 * 3 * 4 and a_b_ _c'),
    'snake_case_name 2 * 3 * 4 and a_b_ _c',
  )
  assert.equal(withoutMarkup('**_both_** and ***all***'), 'both and all')
  assert.equal(
    snippetOf(`${'_'.repeat(5_000)}${'*'.repeat(5_000)}${'['.repeat(5_000)}`).length > 0,
    true,
  )
})
