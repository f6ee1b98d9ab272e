import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** The database of an instance created by release 0.1.0, with rows in most tables; its schema version is 29. */
export function databaseOfFirstRelease(): Buffer {
  return brotliDecompressSync(readFileSync(new URL('./0.1.0.db.br', import.meta.url)))
}
