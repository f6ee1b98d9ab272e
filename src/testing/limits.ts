// The limits of tests. They end what hangs; no machine is so slow that it reaches one.

/** The shaker runs eight files at a time, and delays them besides. */
const factor = process.env.SHAKE_SEED === undefined ? 1 : 6

/** For one wait, in milliseconds. */
export const waitLimitMs = factor * 180_000

/** For one test, in milliseconds. */
export const testLimitMs = factor * 600_000

/**
 * Waits until something is true that no event announces.
 *
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
