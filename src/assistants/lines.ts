import { StringDecoder } from 'node:string_decoder'

/**
 * The lines of a stream of bytes, each as it becomes whole; a last one without its end counts too. Not node:readline, which also
 * ends lines at U+2028 and U+2029: JSON may hold those as they are.
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
