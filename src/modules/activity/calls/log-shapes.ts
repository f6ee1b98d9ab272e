import { z } from 'zod'
import { shape } from '../../../kernel/shape.ts'
import { ItemRef, Ref, trust } from '../../../records/shapes.ts'
import { ApiCall } from '../shapes.ts'

/** A call log entry in the web app. Other people's calls have no arguments and no undo. */
const loggedFields = {
  ...ApiCall.partial({ arguments: true, undo: true }).shape,
  module: z.string().optional(),
  actor: Ref,
}

export const LoggedCall = shape('LoggedCall', loggedFields)

export const LoggedCallDetails = shape('LoggedCallDetails', {
  ...loggedFields,
  changes: z
    .array(
      z.strictObject({
        op: z.enum(['created', 'updated', 'deleted', 'restored', 'access_gained', 'access_lost']),
        item: ItemRef,
        fields: z.array(z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() })),
        trust,
      }),
    )
    .optional(),
  changes_total: z.int().optional(),
  undone_by: z.string().optional(),
  undid: Ref.optional(),
})

/** Values for filtering the log. */
export const LogNames = z.strictObject({
  tools: z.array(z.strictObject({ name: z.string(), module: z.string().optional() })),
  modules: z.array(z.string()),
  clients: z.array(z.string()),
  keys: z.array(Ref),
  people: z.array(Ref),
})
