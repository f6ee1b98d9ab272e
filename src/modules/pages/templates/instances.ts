import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { title } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt } from '../../../kernel/time/times.ts'
import { label } from '../../labels/access.ts'
import { project } from '../../portfolio/access.ts'
import { file } from '../../drive/access.ts'
import { page, pageFile, pageLabel } from '../access.ts'
import { mayAddBelow } from '../pages/access-tree.ts'
import { pageBodyOf } from '../content/bodies.ts'
import { Page, presentPages, visibilities } from '../shapes.ts'
import { fillVariables, variablesIn } from './variables.ts'
import { createPageWithBody } from '../pages/creation.ts'

/** Values available in every template. */
const builtIn = ['date', 'author', 'title'] as const

export const createPageFromTemplate = operation({
  name: 'create_page_from_template',
  searchHint:
    'copy a page, duplicate a doc, use a page template, meeting notes template, clone a page',
  kind: 'write',
  rest: 'POST /api/pages/{page_id}/instances',
  about: 'Create a page from a template, or copy any page, filling in variables',
  on: {
    page: page.see,
    parent: page.see.maybe.describe(
      'the parent page; default: for a copy that of its original, for a template none',
    ),
  },
  input: {
    title: title()
      .optional()
      .describe('default: that of the template, filled in, or of the original plus (copy)'),
    variables: z
      .record(z.string().max(64), z.union([z.string().max(100_000), z.number(), z.boolean()]))
      .optional()
      .describe(
        'values for {{name}} in title and text, code included; {{date}}, {{author}} and {{title}} are filled automatically',
      ),
    visibility: z.enum(visibilities).optional(),
  },
  output: Page.extend({ unfilled: z.array(z.string()).describe('variables without a value') }),
  async handle({ page: original, parent, title: requestedTitle, variables = {}, visibility }, ctx) {
    const body = await pageBodyOf(ctx, original)
    const names = variablesIn(original.title, requestedTitle ?? '', body)
    refuseUnknown(names, Object.keys(variables))
    const values = new Map([
      ['date', dayAt(ctx.now, ctx.actor.timezone)],
      ['author', ctx.actor.display_name],
      ...Object.entries(variables).map(([name, value]): [string, string] => [name, String(value)]),
    ])
    const name = requireTitle(
      fillVariables(
        requestedTitle ??
          (original.kind === 'template'
            ? original.title
            : `${original.title.slice(0, 490)} (copy)`),
        values,
      ),
    )
    if (!values.has('title')) values.set('title', name)
    const copy = await createPageWithBody(ctx, {
      title: name,
      body: fillVariables(body, values),
      parent: parent ?? (await instanceParentOf(ctx, original)),
      visibility,
      kind: original.kind === 'runbook' ? 'runbook' : 'page',
      icon: original.icon,
      project:
        original.project_id === null
          ? undefined
          : (await project.among(ctx, [original.project_id])).get(original.project_id),
      labels: await labelsOn(ctx, original),
    })
    await attachFilesOf(ctx, original, copy)
    return {
      ...(await presentPages(ctx, [copy]))[0]!,
      unfilled: names.filter((item) => !values.has(item)),
    }
  },
})

function refuseUnknown(names: readonly string[], keys: readonly string[]): void {
  const unknown = keys.filter(
    (name) => !names.includes(name) && !(builtIn as readonly string[]).includes(name),
  )
  if (unknown.length === 0) return
  const hint = names.length > 0 ? `It has ${names.slice(0, 30).join(', ')}.` : 'It has none.'
  throw new Refusal(
    'invalid_argument',
    `variables: this page has no ${unknown.slice(0, 5).join(', ')}.`,
    { field: 'variables', hint, context: { variables: names } },
  )
}

function requireTitle(text: string): string {
  const name = text.replaceAll(/\s+/g, ' ').trim()
  if (name === '' || name.length > 500)
    throw invalid(
      'variables',
      `with these values the title is ${name === '' ? 'blank' : `${name.length} characters long`}; a title must have 1 to 500.`,
    )
  return name
}

/** Attaches the files of the original to the copy, so that readers of the copy can see them. */
async function attachFilesOf(
  ctx: WriteContext,
  from: Row<'pages'>,
  to: Row<'pages'>,
): Promise<void> {
  const attached = await pageFile.of(ctx, [from.id]).select(['page_files.file_id']).execute()
  for (const id of (
    await file.among(
      ctx,
      attached.map((row) => row.file_id),
    )
  ).keys())
    await ctx.add('page_files', { page_id: to.id, file_id: id as Row<'files'>['id'] })
}

/** The parent of an instance: a copy goes beside its original, if its creator may add pages there. */
async function instanceParentOf(
  ctx: ReadContext,
  from: Row<'pages'>,
): Promise<Row<'pages'> | undefined> {
  if (from.kind === 'template' || from.parent_id === null) return undefined
  const parent = (await page.among(ctx, [from.parent_id])).get(from.parent_id)
  return parent && (await mayAddBelow(ctx, parent)) ? parent : undefined
}

async function labelsOn(ctx: ReadContext, { id }: Row<'pages'>): Promise<Row<'labels'>[]> {
  const labelLinks = await pageLabel.of(ctx, [id]).select(['page_labels.label_id']).execute()
  return [
    ...(
      await label.among(
        ctx,
        labelLinks.map((tie) => tie.label_id),
      )
    ).values(),
  ]
}
