import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { unresolvedMentions } from '../../../kernel/text/mentions.ts'
import { secret, shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { page } from '../access.ts'
import { pageBodyOf, outlineAt } from '../content/bodies.ts'
import { unifiedDiff } from '../content/diffs.ts'
import { baseRevision, mergeWithLaterChanges } from '../content/later-changes.ts'
import { bodyField } from './pages.ts'
import { addText, applyEdit, replacePassage, replaceSection } from '../content/passages.ts'
import { PageEdit, pageRef } from '../shapes.ts'
import { writeBody } from './creation.ts'

export const editPageSection = operation({
  name: 'edit_page_section',
  searchHint: 'change a paragraph, edit part of a page, fix a passage, replace text',
  kind: 'write',
  rest: 'POST /api/pages/{page_id}/edits',
  about:
    'Replace one section by heading or one exact passage, leaving the rest untouched; returns a diff',
  on: { page: page.edit },
  revision: 'page',
  dryRun: true,
  input: {
    new_markdown: bodyField().describe(
      'replacing a section: without a heading of its level, the heading stays; empty: the section is removed',
    ),
    section: shortText(1000)
      .optional()
      .describe('a heading, its anchor, or a path of headings such as "Setup > Linux"'),
    find: secret(z.string().min(1).max(100_000))
      .optional()
      .describe('an exact passage that occurs once in the text'),
    base_revision: baseRevision(),
  },
  output: PageEdit,
  async handle({ page: row, new_markdown, section, find, base_revision }, ctx) {
    if ((section === undefined) === (find === undefined))
      throw new Refusal(
        'invalid_argument',
        'Specify what to replace with either section or find.',
        {
          field: section === undefined ? 'section' : 'find',
          hint: 'Send exactly one of the two.',
        },
      )
    const after = await mergeWithLaterChanges(ctx, row, base_revision, (base) => {
      const outline = outlineAt(row, base)
      const edit =
        section === undefined
          ? replacePassage(base, outline, find!, new_markdown)
          : replaceSection(base, outline, section, new_markdown)
      return applyEdit(base, edit)
    })
    return saveEdit(ctx, row, await pageBodyOf(ctx, row), after)
  },
})

export const appendToPage = operation({
  name: 'append_to_page',
  searchHint: 'add to the end, add an entry, add a paragraph, journal',
  kind: 'write',
  rest: 'POST /api/pages/{page_id}/append',
  about: 'Add markdown at the end, the start or under a heading',
  on: { page: page.edit },
  input: {
    body_markdown: bodyField().min(1),
    position: z.enum(['end', 'start']).optional().describe('of the page; default: end'),
    under_heading: shortText(1000)
      .optional()
      .describe('a heading, its anchor, or a path of headings: at the end of its section'),
  },
  output: PageEdit,
  async handle({ page: row, body_markdown, position, under_heading }, ctx) {
    if (position !== undefined && under_heading !== undefined)
      throw new Refusal(
        'invalid_argument',
        'position applies to the whole page, and under_heading to a section.',
        { field: 'position', hint: 'Send only one of the two.' },
      )
    const before = await pageBodyOf(ctx, row)
    const outline = under_heading === undefined ? [] : outlineAt(row, before)
    const edit = addText(before, outline, body_markdown, {
      under: under_heading,
      position: position ?? 'end',
    })
    return saveEdit(ctx, row, before, applyEdit(before, edit))
  },
})

async function saveEdit(
  ctx: WriteContext,
  row: Row<'pages'>,
  before: string,
  after: string,
): Promise<z.infer<typeof PageEdit>> {
  const changed = await writeBody(ctx, row, after)
  return omitNullish({
    page: pageRef(changed),
    revision: changed.revision,
    diff: unifiedDiff(before, after, { from: row.title, to: row.title }),
    matches: 1,
    ...unresolvedMentions(ctx),
    dry_run: ctx.dryRun,
    undo_call_id: ctx.dryRun || changed === row ? undefined : ctx.callId,
  })
}
