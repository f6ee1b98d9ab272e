import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import { datetimeString } from '../../../kernel/fields.ts'
import { ItemRef, LeftOutKinds } from '../../../records/shapes.ts'

export const exportFormats = ['markdown', 'html', 'zip'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const ExportResult = shape('PageExportResult', {
  format: z.enum(exportFormats),
  inline: z.string().optional(),
  download_url: z
    .string()
    .optional()
    .describe('works for anyone with the link, without a key, until expires_at'),
  expires_at: datetimeString().optional(),
  item_count: z.int(),
  size_bytes: z.int(),
})

export const ImportResult = shape('PageImportResult', {
  created: z.array(ItemRef),
  updated: z.array(ItemRef),
  skipped: z.array(z.strictObject({ line_or_path: z.string(), reason: z.string() })),
  warnings: z.array(z.string()),
  left_out: LeftOutKinds,
  dry_run: z.boolean(),
  undo_call_id: z.string().optional(),
})
