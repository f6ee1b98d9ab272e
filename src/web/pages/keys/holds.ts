import type { AbuseFinding } from '../../api/operations.ts'

/** What the rules against abuse found. */
export type Hold = AbuseFinding
