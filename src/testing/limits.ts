// Test timeouts. They end hanging tests; no machine is slow enough to reach them.

/** The shaker runs eight files at a time, and adds delays. */
const factor = process.env.SHAKE_SEED === undefined ? 1 : 6

/** Per wait, in milliseconds. */
export const waitLimitMs = factor * 180_000

/** Per test, in milliseconds. */
export const testLimitMs = factor * 600_000

/**
 * Waits for a condition that no event announces.
 * @param what says in the error what did not happen
 */
export async function untilTrue(
  check: () => boolean | Promise<boolean>,
  what: string | (() => string),
  limitMs = waitLimitMs,
): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await check())) {
    if (performance.now() > end)
      throw new Error(`Waited in vain: ${typeof what === 'string' ? what : what()}`)
    await new Promise((next) => setTimeout(next, 20))
  }
}
