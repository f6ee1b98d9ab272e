import { StringDecoder } from 'node:string_decoder'

/**
 * Splits a byte stream into lines as they complete; includes a last line without a line end. Unlike node:readline, it
 * does not split at U+2028 and U+2029, which JSON may contain.
 */
export async function* splitLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  for await (const chunk of input) {
    const [first, ...others] = decoder.write(chunk as Buffer).split('\n') as [string, ...string[]]
    pieces.push(first)
    for (const piece of others) {
      yield pieces.join('').replace(/\r$/, '')
      pieces = [piece]
    }
  }
  const rest = pieces.join('') + decoder.end()
  if (rest !== '') yield rest
}
