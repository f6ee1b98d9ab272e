/** Milliseconds of the reference work on the machine for which the bounds of tests are written. */
const referenceMs = 6

/**
 * A watch over the processor time of this process and its threads, in milliseconds since it was made. Time that other
 * processes get does not count, and a slower or busier machine is allowed for by the time of a reference work: a bound holds
 * everywhere, and only a cost that grows too fast exceeds it.
 */
export function cpuWatch(): () => number {
  const slownessBefore = slowness()
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000 / Math.max(slownessBefore, slowness())
  }
}

/** The same for the calling thread alone; other threads and processes are not counted. */
export function threadCpuWatch(): () => number {
  const slownessBefore = slowness()
  const start = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000 / Math.max(slownessBefore, slowness())
  }
}

/** Factor by which this machine is slower at the moment; at least 1. */
function slowness(): number {
  const times = Array.from({ length: 3 }, () => {
    const start = process.threadCpuUsage()
    referenceWork()
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000
  })
  return Math.max(1, Math.min(...times) / referenceMs)
}

/** Strings, objects, sorting and a regular expression, as parsers use them. */
function referenceWork(): number {
  const words = Array.from({ length: 8000 }, (_, i) => `w${(i * 7919) % 8000} `)
  const counts = new Map(words.toSorted().map((word, i) => [word, i]))
  return JSON.stringify([...counts]).replaceAll(/w(\d)/g, '$1').length
}
