import type { PostOutput } from '../../../api/client.ts'

/** A step as the server tells it. */
export type LiveStep = PostOutput<'/web/pages/:id/steps'>['steps'][number]
