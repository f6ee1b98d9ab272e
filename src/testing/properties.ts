import fc from 'fast-check'

/**
 * fast-check, which draws the same values in each run: whether a change gets in must not depend on luck. The shaker, or
 * PROPERTY_SEED, draws others.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? process.env.SHAKE_SEED ?? 1) })

export default fc
