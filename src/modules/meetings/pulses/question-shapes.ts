import { z } from 'zod'
import { day } from '../../../kernel/fields.ts'
import { shape } from '../../../kernel/shape.ts'

export const questionTypes = ['text', 'scale', 'choice', 'yes_no'] as const

export const PulseQuestion = shape('PulseQuestion', {
  id: z.string().describe('permanent; answers refer to it'),
  text: z.string(),
  type: z.enum(questionTypes),
  options: z.array(z.string()).optional().describe('of a choice'),
  min: z.int().optional().describe('of a scale; default 1'),
  max: z.int().optional().describe('of a scale; default 5'),
  blocker: z
    .boolean()
    .optional()
    .describe('whether its answers are listed as blockers; default: by its wording'),
})
export type PulseQuestion = z.infer<typeof PulseQuestion>

export const Score = shape('PulseScore', {
  answered: z.int(),
  average: z.number().optional().describe('of a scale'),
  yes_share: z.number().optional().describe('of yes_no, 0 to 1'),
  counts: z.record(z.string(), z.int()).optional().describe('of a choice'),
})
export type Score = z.infer<typeof Score>

export const Trend = shape('PulseTrend', {
  text: z.string(),
  type: z.enum(questionTypes),
  points: z.array(Score.extend({ on: day() })).describe('oldest first'),
  change: z.number().optional().describe('from the previous round to the last one'),
})
export type Trend = z.infer<typeof Trend>
