import { statfsSync } from 'node:fs'

/** Below the first the log warns; below the second nothing large is taken in any more. In bytes. */
const lowSpace = 500 * 10 ** 6
const scarceSpace = 100 * 10 ** 6

/** Bytes that are free where a folder is. */
export function freeSpace(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}

export type Space = 'ok' | 'low' | 'scarce'

export function spaceOf(free: number): Space {
  if (free >= lowSpace) return 'ok'
  return free >= scarceSpace ? 'low' : 'scarce'
}
