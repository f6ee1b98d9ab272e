import { statfsSync } from 'node:fs'

/** Below the first, the log warns; below the second, large data is refused. In bytes. */
const lowSpace = 500 * 10 ** 6
const scarceSpace = 100 * 10 ** 6

/** Free bytes on the disk of a folder. */
export function freeSpace(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}

export type SpaceLevel = 'ok' | 'low' | 'scarce'

export function spaceLevelOf(free: number): SpaceLevel {
  if (free >= lowSpace) return 'ok'
  return free >= scarceSpace ? 'low' : 'scarce'
}
