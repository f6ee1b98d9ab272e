import { type Embeddings, bagOfWords } from '../embeddings.ts'
import { titledPassages } from '../passages.ts'
import type { PassageVector } from '../pool.ts'
import type { EmbeddedText } from '../protocol.ts'
import { quantize } from '../scan.ts'

/** Approximate passages per batch: more would delay searches and writes. */
const maxPassages = 400

/** Embeds the first texts, up to enough passages for one transaction. */
export function embedBatch<T>(
  texts: readonly T[],
  embed: (text: T) => EmbeddedText,
): EmbeddedText[] {
  const batch: EmbeddedText[] = []
  for (let i = 0, passages = 0; i < texts.length && passages < maxPassages; i++) {
    batch.push(embed(texts[i]!))
    passages += batch[i]!.passages?.length ?? 0
  }
  return batch
}

/** The vectors of a text's passages in a space. */
export function passageVectors(space: Embeddings, title: string, body: string): PassageVector[] {
  return titledPassages(title, body).map(({ start, length, text }) => ({
    start,
    length,
    ...quantize(space.embed(bagOfWords(text))),
  }))
}
