import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { sanitizeFileName } from '../../../kernel/text/file-names.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { file } from '../../drive/access.ts'
import { storeAttached } from '../../drive/shapes.ts'
import type { FileAnswer } from './answers.ts'
import { isAcceptedFile, acceptedTypeNames } from '../public/file-kinds.ts'
import type { FormField } from '../forms/fields.ts'

/** Maximum number of files with one response, over all fields. */
const maxFiles = 5
export const maxFileBytes = 10 * 2 ** 20

const FileInput = z.union([
  z.string().min(1).max(320),
  z.strictObject({ file_id: z.string().min(1).max(320) }),
  z.strictObject({
    name: z.string().min(1).max(1000),
    content_base64: z
      .string()
      .min(1)
      .max(14 * 2 ** 20),
  }),
])

/** A file that was sent with an answer. */
export interface SentFile {
  name: string
  bytes: Buffer
}

/** Reason for rejecting a file; undefined if accepted. Worded for the sender. */
export function fileProblem({ name, bytes }: SentFile): string | undefined {
  if (bytes.length === 0) return `“${name}” is empty`
  if (bytes.length > maxFileBytes) return `“${name}” is larger than 10 MB`
  return isAcceptedFile(name, bytes)
    ? undefined
    : `“${name}” has a type that is not accepted, or its content does not match its name; accepted types: ${acceptedTypeNames}`
}

/** Reason for rejecting files in total. */
export function totalProblem(files: readonly SentFile[]): string | undefined {
  if (files.length > maxFiles) return `there are ${files.length} files; the maximum is ${maxFiles}`
  return files.reduce((sum, sentFile) => sum + sentFile.bytes.length, 0) > maxFileBytes
    ? 'the files are larger than 10 MB in total'
    : undefined
}

/** Stores a file of a response, owned by the context's actor. */
export async function storeFile(ctx: WriteContext, { name, bytes }: SentFile): Promise<FileAnswer> {
  const row = await storeAttached(ctx, { name, bytes })
  return { file_id: row.id, name, size_bytes: bytes.length }
}

/**
 * Stores files named in a call's answers, replacing the input: ids of visible files, or names with content.
 * @throws Refusal
 */
export async function storeAnswerFiles(
  ctx: WriteContext,
  fields: readonly FormField[],
  values: Record<string, unknown>,
): Promise<{ values: Record<string, unknown>; ownFiles: Set<string> }> {
  const ownFiles = new Set<string>()
  const storedValues = { ...values }
  const sent: SentFile[] = []
  for (const { id } of fields.filter((field) => field.type === 'file' && field.id in values)) {
    const answers: FileAnswer[] = []
    for (const [i, input] of (values[id] as unknown[]).entries()) {
      const path = `answers.${id}[${i}]`
      const parsed = FileInput.safeParse(input)
      if (!parsed.success)
        throw invalid(path, 'must be the id of a file, or {name, content_base64}.')
      const item = parsed.data
      if (typeof item === 'string' || 'file_id' in item) {
        const row = await file.demand(
          ctx,
          typeof item === 'string' ? item : item.file_id,
          'see',
          path,
        )
        answers.push({ file_id: row.id, name: row.name, size_bytes: row.size_bytes })
        continue
      }
      const sentFile = readSentFile(item.name, item.content_base64, path)
      sent.push(sentFile)
      const problem = totalProblem(sent)
      if (problem !== undefined) throw invalid(path, `${problem}.`)
      const stored = await storeFile(ctx, sentFile)
      ownFiles.add(stored.file_id)
      answers.push(stored)
    }
    storedValues[id] = answers
  }
  return { values: storedValues, ownFiles }
}

function readSentFile(requestedName: string, text: string, path: string): SentFile {
  const name = sanitizeFileName(requestedName)
  if (name === '')
    throw invalid(
      `${path}.name`,
      'this name has no usable characters.',
      'Send a name such as report.pdf.',
    )
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text)
    throw invalid(
      `${path}.content_base64`,
      'is not valid base64 (RFC 4648 §4, with padding, without line breaks).',
    )
  const problem = fileProblem({ name, bytes })
  if (problem !== undefined) throw invalid(path, `${problem}.`)
  return { name, bytes }
}
