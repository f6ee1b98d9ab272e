import { readFileSync } from 'node:fs'
import { assetsIn } from '../db/assets.ts'

/** A text with its prefix, its ids and its vector, computed by the reference implementation of the model. */
export interface GoldenText {
  text: string
  ids: number[]
  vector: number[]
}

const goldenFile = new URL('../search/encoder/golden.jsonl', import.meta.url)

export function goldenTexts(): GoldenText[] {
  return readFileSync(goldenFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as GoldenText)
}

export function modelVocabulary(): Uint8Array {
  return assetsIn('encoder/').read('vocabulary.tsv')
}

/** The cosine of two vectors of length 1. */
export function cosineOf(vector: Float32Array, other: readonly number[]): number {
  return vector.reduce((sum, x, at) => sum + x * (other[at] ?? 0), 0)
}
