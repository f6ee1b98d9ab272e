import type { AbuseFinding } from '../../api/operations.ts'

export type Hold = AbuseFinding
