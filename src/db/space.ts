import { statfsSync } from 'node:fs'

/** Below the first limit, the log warns; below the second, large data is refused. */
const lowSpaceBytes = 500 * 10 ** 6
const scarceSpaceBytes = 100 * 10 ** 6

/** Free bytes on the disk of a folder. */
export function freeSpace(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}

export type SpaceLevel = 'ok' | 'low' | 'scarce'

export function spaceLevelOf(free: number): SpaceLevel {
  if (free >= lowSpaceBytes) return 'ok'
  return free >= scarceSpaceBytes ? 'low' : 'scarce'
}
