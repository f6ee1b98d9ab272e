import { z } from 'zod'

/** One file of a backup. */
export const BackedUpFile = z.strictObject({
  name: z
    .string()
    .regex(
      /^(?:workspace\.db|revoked\.log|audit-heads\.log|audit\.pub|blobs\/[0-9a-f]{2}\/[0-9a-f]{62})$/,
    ),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

/** Manifest of a backup, its first entry: everything that a restore is verified against. */
export const Manifest = z.strictObject({
  format: z.literal(1),
  /** The version of the program that made it. */
  version: z.string(),
  schema_version: z.int(),
  created_at: z.iso.datetime(),
  files: z.array(BackedUpFile),
  /** Rows of each table. */
  rows: z.record(z.string(), z.int()),
  /** End of each organization's call log. */
  heads: z.array(z.strictObject({ org_id: z.string(), seq: z.int(), hash: z.string() })),
  /** Rows that need the master key, which is never included. */
  sealed_rows: z.int(),
})

export type BackedUpFile = z.infer<typeof BackedUpFile>
export type Manifest = z.infer<typeof Manifest>

export const manifestName = 'manifest.json'
