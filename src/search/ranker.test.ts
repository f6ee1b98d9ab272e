import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoreOf, trustInWordsOf, weightsTrusting, type ScoreTerms } from './ranker.ts'

const noTerms: ScoreTerms = {
  bm25: 0,
  cosine: 0,
  coverage: 0,
  proximity: 0,
  title: 0,
  gain: 0,
  wordPlace: 0,
  meaningPlace: 0,
  terms: [],
}

test('words count in full where a hit has a good part of the query, and not where none has any', () => {
  const withCoverage = (coverage: number) => ({ ...noTerms, coverage })
  assert.equal(trustInWordsOf([]), 0)
  assert.equal(trustInWordsOf([noTerms]), 0)
  assert.equal(trustInWordsOf([withCoverage(0.14), noTerms]), 0.5)
  assert.equal(trustInWordsOf([noTerms, withCoverage(0.5), withCoverage(0.9)]), 1)
})

test('trust in words scales the terms of words, and leaves those of meaning and links', () => {
  const byWords = { ...noTerms, bm25: 1, coverage: 0.2, proximity: 0.5, title: 1, wordPlace: 1 }
  const byMeaning = { ...noTerms, cosine: 1, meaningPlace: 1, gain: 1 }
  const full = scoreOf(byWords, weightsTrusting(1))
  assert.ok(full > 0)
  assert.ok(Math.abs(scoreOf(byWords, weightsTrusting(0.5)) - full / 2) < 1e-12)
  assert.equal(scoreOf(byMeaning, weightsTrusting(0)), scoreOf(byMeaning, weightsTrusting(1)))
})
