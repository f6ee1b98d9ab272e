/** Milliseconds of the reference work on the machine for which test limits are written. */
const referenceMs = 6

/**
 * Measures processor time of this process and its threads, in milliseconds since its creation. Time of other
 * processes does not count, and results are scaled by the duration of a reference workload for slower or busier
 * machines: limits hold everywhere, and only excessive growth exceeds them.
 */
export function cpuWatch(): () => number {
  const slownessBefore = slowness()
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000 / Math.max(slownessBefore, slowness())
  }
}

/** Measures only the calling thread; other threads and processes do not count. */
export function threadCpuWatch(): () => number {
  const slownessBefore = slowness()
  const start = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000 / Math.max(slownessBefore, slowness())
  }
}

/** Factor by which this machine is currently slower; at least 1. */
function slowness(): number {
  const times = Array.from({ length: 3 }, () => {
    const start = process.threadCpuUsage()
    referenceWork()
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000
  })
  return Math.max(1, Math.min(...times) / referenceMs)
}

/** Strings, objects, sorting and a regular expression, typical of parsers. */
function referenceWork(): number {
  const words = Array.from({ length: 8000 }, (_, i) => `w${(i * 7919) % 8000} `)
  const counts = new Map(words.toSorted().map((word, i) => [word, i]))
  return JSON.stringify([...counts]).replaceAll(/w(\d)/g, '$1').length
}
