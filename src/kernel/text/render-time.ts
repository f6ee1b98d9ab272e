/**
 * Renders a Liquid template. Its render limit is wall clock time, which includes time used by other processes, so a
 * render that hit the limit with less processor time is repeated.
 * @param maxMs the render limit
 * @throws Error of the render
 */
export function retryStarvedRender<T>(maxMs: number, render: () => T, tries = 3): T {
  const start = process.threadCpuUsage()
  try {
    return render()
  } catch (error) {
    const { user, system } = process.threadCpuUsage(start)
    const isStarved = (user + system) / 1000 < maxMs / 2
    if (tries > 1 && isStarved && (error as Error).message.includes('render limit'))
      return retryStarvedRender(maxMs, render, tries - 1)
    throw error
  }
}
