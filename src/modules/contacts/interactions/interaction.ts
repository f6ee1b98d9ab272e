import type { z } from 'zod'
import type { Interaction } from './shapes.ts'

export type InteractionShape = z.infer<typeof Interaction>
