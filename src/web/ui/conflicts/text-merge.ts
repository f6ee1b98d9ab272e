import type { MergePart } from '../../../kernel/text/merge.ts'
import type { Input, OperationName } from '../../api/client.ts'
import { loadPart } from '../../api/parts.ts'
import { write, type RowChange, type WriteOptions } from '../../store/index.ts'

/** Fields that the server names if there is a newer text. */
const staleFields: readonly (string | undefined)[] = ['expected_revision', 'expected_version_id']
/** Maximum number of merges if others save faster. */
const maxTries = 5

/** The server's version of a text. */
export interface SavedText {
  text: string
  revision: number
}

/** Storage of a text that others may edit at the same time. */
export interface TextSource {
  read: () => Promise<SavedText>
  /** Saves it if it is still at the expected revision; an empty text is null. False if refused. */
  save: (
    text: string | null,
    expectedRevision: number,
    handles: NonNullable<WriteOptions['handles']>,
  ) => Promise<boolean>
}

interface OperationText<N extends OperationName> {
  read: () => Promise<SavedText>
  operation: N
  input: (text: string | null, expected_revision: number) => Input<N>
  /** Optimistic row change, if the text is in a row of the store. */
  row?: (text: string | null) => RowChange
  /** Description of the change. */
  description: string
}

/** A text saved by an operation. */
export const operationTextSource = <N extends OperationName>(
  source: OperationText<N>,
): TextSource => ({
  read: source.read,
  save: async (text, expectedRevision, handles) => {
    const options = {
      rows: source.row ? [source.row(text)] : [],
      text: source.description,
      handles,
    }
    return (
      (await write(source.operation, source.input(text, expectedRevision), options)).state ===
      'done'
    )
  },
})

/** Conflicting lines to choose from, and the text saved by others. */
export interface TextConflict {
  parts: readonly MergePart[]
  theirs: string
}

interface EditedText {
  /** Last known saved text. */
  saved: SavedText
  /** The original text. */
  base: string
  text: string
}

/** Saves a text merged with changes by others; returns the choices for conflicting lines. */
export async function saveMerged(
  { saved, base, text }: EditedText,
  { read, save }: TextSource,
): Promise<'done' | 'refused' | TextConflict> {
  let current = saved
  for (let triesLeft = maxTries; ; ) {
    const theirs = current.text
    const mergeResult = await mergeTexts(base, text, theirs)
    if (typeof mergeResult !== 'string') return { parts: mergeResult, theirs }
    triesLeft--
    let isStale = false
    const isDone = await save(
      mergeResult === '' ? null : mergeResult,
      current.revision,
      ({ field }) => {
        isStale = staleFields.includes(field) && triesLeft > 0
        return isStale
      },
    )
    if (isDone) return 'done'
    if (!isStale) return 'refused'
    current = await read()
  }
}

/** The text merged with changes by others, or the choices for conflicting lines. */
export async function mergeTexts(
  base: string,
  mine: string,
  theirs: string,
): Promise<string | readonly MergePart[]> {
  if (theirs === base) return mine // needs no merge code, which cannot be loaded offline
  const { conflictsIn, mergedText, mergeParts } = await loadPart(
    () => import('../../../kernel/text/merge.ts'),
  )
  const parts = mergeParts(base, mine, theirs)
  return conflictsIn(parts).length > 0 ? parts : mergedText(parts, () => [])
}
