/**
 * A watch over the processor time of this process and its threads, in milliseconds since it was made. What a busy machine gives to
 * others does not count, as it would by the clock: a bound holds on every machine, and what takes the square of its length breaks it.
 */
export function cpuWatch(): () => number {
  const begun = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1000
  }
}

/** The same of the thread that asks alone: what other threads and processes do is not counted. */
export function threadCpuWatch(): () => number {
  const begun = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(begun)
    return (user + system) / 1000
  }
}
