import { z } from 'zod'

export const CustomFields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
export type CustomFields = z.infer<typeof CustomFields>
