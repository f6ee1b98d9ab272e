import { readFileSync } from 'node:fs'

/** Thrown if a key cannot be read. */
export class KeyUnreadable extends Error {}

/** A function that reads a key anew for each request, from a file if configured; undefined if there is none. */
export function keyReader(
  file: string,
  environmentKey: string | undefined,
): () => string | undefined {
  return () => (file === '' ? environmentKey || undefined : readKeyFile(file))
}

function readKeyFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    throw new KeyUnreadable(
      `The key could not be read from ${file} (${(error as { code?: string }).code ?? 'unknown'}).`,
    )
  }
}
