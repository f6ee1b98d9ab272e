import type { ChangeSet } from '@codemirror/state'
import { z } from 'zod'
import { Refusal, invalid } from '../../../kernel/refusal.ts'
import { secretPrefix } from '../../../keys/tokens.ts'
import { applyTextChanges, maxLiveChars } from '../../../kernel/text/text-changes.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { shape } from '../../../kernel/shape.ts'
import { iso } from '../../../kernel/time/times.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { Ref } from '../../../records/shapes.ts'
import type { Row } from '../../../records/resource.ts'
import { keyNames } from '../../activity/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { page } from '../access.ts'
import { pageBodyOf, checkChangedText } from '../content/bodies.ts'
import { writeVersion } from '../pages/creation.ts'
import {
  addStep,
  areStepsStored,
  revisionOfEdit,
  stepsBehind,
  stepsOf,
  type PageStep,
} from './access-steps.ts'
import { followPassages } from './access-passages.ts'
import { liveAuthors, clearLiveChanges } from './access-stretches.ts'
import { ChangesJson, readChanges, touchedLines } from './text-changes.ts'

/** Maximum steps, and their characters, for an editor to catch up; beyond that it reads the text again. */
const maxCatchUp = { count: 1000, size: 4_000_000 }
/** Steps after which a version is created without waiting for a pause. */
const maxStretch = 300

/** A single text change with its author. */
export const Step = shape('PageStep', {
  revision: z.int(),
  edit: z.string().optional(),
  changes: ChangesJson,
  at: z.string(),
  author: Ref,
  /** Made with a key by an assistant or program; `key_name` is shown to its owner and administrators. */
  via_key: z.literal(true).optional(),
  key_name: z.string().optional(),
})

interface SentStep {
  since: number
  edit: string
  changes: ChangesJson
  /** Continues the same editor's previous insertion. */
  continues: boolean
  done: boolean
}

/**
 * Thrown for lines that must be checked before the step is accepted: they are scanned for keys outside the
 * transaction.
 */
export class PossibleKeyError extends Error {
  readonly lines: string

  constructor(lines: string) {
    super('The text may contain an API key.')
    this.lines = lines
  }
}

/**
 * Applies an editor's step after mapping it over later steps by others. Idempotent.
 * @param checked lines in which no key was found
 * @throws PossibleKeyError, Refusal
 */
export async function takeStep(
  ctx: WriteContext,
  pageId: string,
  sent: SentStep,
  checked: ReadonlySet<string>,
): Promise<{ revision: number; steps: z.infer<typeof Step>[]; isFirst: boolean }> {
  const row = await page.demand(ctx, pageId, 'edit', 'page_id')
  const steps = await stepsSince(ctx, row, sent.since)
  const isAlreadyApplied = (await revisionOfEdit(ctx, row, sent.edit)) !== undefined
  const now = isAlreadyApplied ? row : await applyStep(ctx, row, { ...sent, checked }, steps)
  const { count, own } = await stepsBehind(ctx, now, now.live_from ?? now.revision)
  const isFirst = own === 1
  const revision =
    (sent.done || count >= maxStretch) && count > 0
      ? await writeLiveVersion(ctx, now)
      : now.revision
  return { revision, steps: await presentSteps(ctx, steps), isFirst: isFirst && !isAlreadyApplied }
}

/** Creates a version from live changes, with their authors; returns the page's revision. */
export async function writeLiveVersion(ctx: WriteContext, row: Row<'pages'>): Promise<number> {
  const authors = await liveAuthors(ctx, row)
  const written = await writeVersion(ctx, row, await pageBodyOf(ctx, row), { authors })
  if (written === row) await clearLiveChanges(ctx, row) // the changes cancelled each other out
  return written.revision
}

/** @throws Refusal conflict if some steps are no longer stored */
async function stepsSince(ctx: ReadContext, row: Row<'pages'>, since: number): Promise<PageStep[]> {
  if (since > row.revision)
    throw invalid(
      'since',
      `the page has revision ${row.revision} by now.`,
      'Send the revision of the text that the editor has.',
    )
  if (!(await canCatchUp(ctx, row, since)))
    throw new Refusal('conflict', `The steps since revision ${since} are not kept any more.`, {
      field: 'since',
      hint: 'Read the text again, and merge yours with it.',
      context: { current_revision: row.revision },
    })
  return stepsOf(ctx, row, { after: since, upTo: row.revision })
}

/** Whether an editor with a revision's text can catch up by steps. */
export async function canCatchUp(
  ctx: ReadContext,
  row: Pick<Row<'pages'>, 'id'>,
  since: number,
): Promise<boolean> {
  const { count, size } = await stepsBehind(ctx, row, since)
  if (count > maxCatchUp.count || size > maxCatchUp.size) return false
  return areStepsStored(ctx, row, since, ctx.now)
}

async function applyStep(
  ctx: WriteContext,
  row: Row<'pages'>,
  { edit, changes, continues, checked }: SentStep & { checked: ReadonlySet<string> },
  steps: readonly PageStep[],
): Promise<Row<'pages'>> {
  const text = await pageBodyOf(ctx, row)
  const sent = readChanges(changes)
  const length = steps[0]?.changes.length ?? text.length
  requireTextLength(sent, length)
  const mine = steps.reduce((changes, step) => changes.map(step.changes, continues), sent)
  if (mine.empty) return row
  const after = applyTextChanges(text, mine)
  checkLive(after)
  return writeStep(ctx, row, { edit, changes: mine, text, after, checked })
}

/** @throws Refusal invalid_argument if the changes are for a different text */
export function requireTextLength({ length }: ChangeSet, expected: number): void {
  if (length !== expected)
    throw invalid(
      'changes',
      `is for a text of ${length} characters, but the text at that revision has ${expected}.`,
      'Read the text again.',
    )
}

interface WrittenStep {
  edit: string
  changes: ChangeSet
  /** Previous text, and the result of the changes. */
  text: string
  after: string
  /** Lines checked to contain no key. */
  checked: ReadonlySet<string>
}

/** Adds a step to a page; comments follow. @throws PossibleKeyError if it touches lines that may contain a key */
export async function writeStep(
  ctx: WriteContext,
  row: Row<'pages'>,
  { edit, changes, text, after, checked }: WrittenStep,
): Promise<Row<'pages'>> {
  const lines = touchedLines(after, changes)
  if (secretPrefix.test(lines) && !checked.has(lines)) throw new PossibleKeyError(lines)
  await followPassages(ctx, row, text, changes)
  return addStep(ctx, row, { edit, changes })
}

/** @throws Refusal too_large, invalid_argument */
function checkLive(text: string): void {
  if (text.length > maxLiveChars)
    throw new Refusal(
      'too_large',
      `A page that is written live can have at most ${maxLiveChars} characters.`,
      {
        field: 'changes',
        hint: 'Split it into several pages.',
        context: { limit_chars: maxLiveChars, chars: text.length },
      },
    )
  checkChangedText(text)
}

/** Steps in the form sent to editors. */
export async function presentSteps(
  ctx: ReadContext,
  steps: readonly PageStep[],
): Promise<z.infer<typeof Step>[]> {
  const people = await peopleRefs(
    ctx,
    steps.map((step) => step.personId),
  )
  const keys = await keyNames(
    ctx,
    steps.flatMap((step) => step.keyId ?? []),
  )
  return steps.map(({ revision, edit, changes, at, personId, keyId }) =>
    omitNullish({
      revision,
      edit,
      changes: changes.toJSON() as ChangesJson,
      at: iso(at),
      author: people.get(personId) ?? { id: personId, title: '' },
      via_key: keyId === null ? undefined : (true as const),
      key_name: keyId === null ? undefined : keys.get(keyId),
    }),
  )
}
