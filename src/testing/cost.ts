/** Milliseconds of the reference work on the machine for which test limits are written. */
const referenceMs = 6

type CpuUsage = (start?: NodeJS.CpuUsage) => NodeJS.CpuUsage

/**
 * Measures processor time of this process and its threads, in milliseconds since its creation. Time of other
 * processes does not count, and results are scaled by the duration of a reference workload for slower or busier
 * machines: limits hold everywhere, and only excessive growth exceeds them.
 */
export const cpuWatch = (): (() => number) => watch((start) => process.cpuUsage(start))

/** Measures only the calling thread; other threads and processes do not count. */
export const threadCpuWatch = (): (() => number) => watch(threadUsage)

const threadUsage: CpuUsage = (start) => process.threadCpuUsage(start)

function watch(usage: CpuUsage): () => number {
  const slownessBefore = slowness()
  const elapsed = unscaledWatch(usage)
  return () => elapsed() / Math.max(slownessBefore, slowness())
}

function unscaledWatch(usage: CpuUsage): () => number {
  const start = usage()
  return () => {
    const { user, system } = usage(start)
    return (user + system) / 1000
  }
}

/** Factor by which this machine is currently slower; at least 1. */
function slowness(): number {
  const times = Array.from({ length: 3 }, () => {
    const elapsed = unscaledWatch(threadUsage)
    referenceWork()
    return elapsed()
  })
  return Math.max(1, Math.min(...times) / referenceMs)
}

/** Strings, objects, sorting and a regular expression, typical of parsers. */
function referenceWork(): number {
  const words = Array.from({ length: 8000 }, (_, i) => `w${(i * 7919) % 8000} `)
  const counts = new Map(words.toSorted().map((word, i) => [word, i]))
  return JSON.stringify([...counts]).replaceAll(/w(\d)/g, '$1').length
}
