import fc from 'fast-check'

/**
 * fast-check with the same values in each run: merging a change must not depend on luck. The shaker and PROPERTY_SEED
 * use others.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? process.env.SHAKE_SEED ?? 1) })

export default fc
