import { createHash } from 'node:crypto'

/** What is kept of the secret in the address of a webhook trigger. It has 256 random bits, so that it takes no more than this. */
export function hookTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
