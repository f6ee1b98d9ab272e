import { truncate } from '../../kernel/text/truncate.ts'
import { shape } from '../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { ExtensionPoint } from '../../records/extension-point.ts'
import { datetimeString } from '../../kernel/fields.ts'
import { trust } from '../../records/shapes.ts'

export const digestKinds = [
  'tasks',
  'chat',
  'mail',
  'invitations',
  'meetings',
  'incidents',
  'pages',
  'goals',
  'approvals',
] as const
export type DigestKind = (typeof digestKinds)[number]

const titleLength = 60

const DigestEntry = shape('DigestEntry', {
  id: z.string(),
  key: z.string().optional(),
  title: z.string(),
  what: z.array(z.string()).describe('latest first: completed, commented …'),
  by: z
    .array(z.string())
    .describe('people; marked "(assistant)" or "(automation)" if one acted for them'),
  at: datetimeString(),
  trust,
})
export type EntryShape = z.infer<typeof DigestEntry>

export const Section = shape('DigestSection', {
  kind: z.enum(digestKinds),
  counts: z.record(z.string(), z.int()).describe('number of items per kind of change'),
  items: z.array(DigestEntry),
  more: z.string().optional().describe('the tool that lists the rest'),
  standing: z
    .literal(true)
    .optional()
    .describe('what is open now, also from before since; counts.new is of the period'),
})
export type SectionShape = z.infer<typeof Section>

/** A part of the digest supplied by another module. */
interface DigestSource {
  kind: DigestKind
  /** Tool that lists the rest; a key without access to it does not get this part. */
  tool: string
  section: (ctx: ReadContext, period: DigestPeriod) => Promise<SectionShape>
}

/** The period of a part of the digest, and its maximum number of items. */
export interface DigestPeriod {
  since: number
  until: number
  maxItems: number
}

export const digestSources = new ExtensionPoint<DigestSource>()

export function shortTitle(text: string): string {
  return truncate(text, titleLength)
}

export function withoutZeros(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
