import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import { operation } from '../../../operations/operation.ts'
import { LeftOutCounter, type LeftOut } from '../../../kernel/left-out.ts'
import { denied } from '../../../kernel/refusal.ts'
import { bytesOf, file } from '../../drive/access.ts'
import { importers } from '../../import-sandbox.ts'
import { LeftOutKinds } from '../../../records/shapes.ts'
import { JobHandle, presentHandle } from '../../system/shapes.ts'
import { importedBefore, startChatImport } from './access.ts'
import { chatImportJob, type ChatImportProgress } from './jobs.ts'
import {
  selectChannels,
  freeNameFor,
  matchPeople,
  personKey,
  refOf,
  type ImportOptions,
} from './writer.ts'
import type { SlackChannel, SlackOverview } from './slack-export.ts'

const maxFileBytes = 100 * 2 ** 20

const ImportResult = shape('ChatImportResult', {
  channels: z.array(
    z.strictObject({
      name: z.string(),
      as: z.string().optional().describe('name in Workspace'),
      kind: z.enum(['public', 'private']),
      archived: z.boolean(),
      messages: z.int(),
      left_out: z.int().describe('joins, leaves and the like'),
      members: z.array(z.string()),
      skipped: z.string().optional().describe('why it is not imported'),
    }),
  ),
  messages: z.int().describe('total to import'),
  people: z
    .array(
      z.strictObject({ name: z.string(), email: z.string().optional(), to: z.string().nullable() }),
    )
    .describe('mapping of people in the export; null: no match. Change it with `people`'),
  warnings: z.array(z.string()),
  left_out: LeftOutKinds,
  dry_run: z.boolean(),
  job: JobHandle.optional().describe(
    'performs the import; its result lists the channels and the calls to undo it',
  ),
})

export const importChannels = operation({
  name: 'import_channels',
  searchHint: 'move from slack, migrate slack, slack history, bring in old chats',
  kind: 'write',
  weight: 20,
  rest: 'POST /api/channels/import',
  about:
    'Import channels with their messages and threads from a Slack export (zip); supports a dry run',
  on: { file: file.see },
  input: {
    channels: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(1000)
      .optional()
      .describe('names in the export; default: all'),
    people: z
      .record(z.string().max(320), z.string().max(320).nullable())
      .optional()
      .describe('{email or name in the export: person id or email}'),
  },
  dryRun: true,
  startsJob: chatImportJob,
  output: ImportResult,
  async compute({ file: importFile }, ctx) {
    return importers.run(
      'slackOverview',
      { bytes: bytesOf(ctx, importFile, maxFileBytes) },
      { owner: ctx.actor.id },
    )
  },
  async handle({ file: importFile, channels, people = {} }, ctx) {
    if (ctx.actor.role === 'guest')
      throw denied('Guests cannot create channels; a member of the organization can import them.')
    const overview = ctx.prefetched as SlackOverview
    const options: ImportOptions = { channels, people }
    const selected = selectChannels(overview.channels, options)
    const alreadyImported = await importedBefore(ctx, selected.map(refOf))
    const localPeople = await matchPeople(ctx, overview.people, options)
    const names = new Set<string>()
    const channelResults: z.infer<typeof ImportResult>['channels'] = []
    for (const slackChannel of selected) {
      const isKnown = alreadyImported.has(refOf(slackChannel))
      const name = isKnown ? undefined : await freeNameFor(ctx, slackChannel, names)
      if (name !== undefined) names.add(name)
      channelResults.push({
        name: slackChannel.name,
        ...(name === undefined ? { skipped: 'It was already imported.' } : { as: name }),
        kind: slackChannel.isPrivate ? ('private' as const) : ('public' as const),
        archived: slackChannel.isArchived,
        messages: slackChannel.messages,
        left_out: slackChannel.leftOutCount,
        members: slackChannel.members.flatMap(
          (member) => localPeople.get(personKey(member))?.display_name ?? [],
        ),
      })
    }
    const result = {
      channels: channelResults,
      messages: importedMessageCount(channelResults),
      people: overview.people.slice(0, 500).map((person) => ({
        ...person,
        to: localPeople.get(personKey(person))?.display_name ?? null,
      })),
      warnings: overview.warnings,
      left_out: leftOutOf(selected, alreadyImported, overview.leftOut),
      dry_run: ctx.dryRun,
    }
    if (ctx.dryRun || names.size === 0) return result
    const progress: ChatImportProgress = {
      channels: [],
      messages: 0,
      skipped: [],
      left_out: leftOutOf(selected, alreadyImported, overview.leftOut),
      undo_call_ids: [],
    }
    const import_id = await startChatImport(ctx, {
      file_id: importFile.id,
      options_json: JSON.stringify(options),
      result_json: JSON.stringify(progress),
    })
    return {
      ...result,
      job: presentHandle(
        ctx,
        await ctx.job(chatImportJob, { import_id }, { uniqueKey: import_id }),
      ),
    }
  },
})

/** Channels and channel parts that are left out, and channels that were imported before. */
function leftOutOf(
  channels: readonly SlackChannel[],
  alreadyImported: ReadonlySet<string>,
  others: readonly LeftOut[],
): LeftOut[] {
  const sum = new Map(others.map((kind) => [kind.what, kind]))
  const newChannels = channels.filter((from) => !alreadyImported.has(refOf(from)))
  for (const kind of newChannels.flatMap((from) => from.leftOut)) {
    const { what, count, lines } = kind
    const total = sum.get(what) ?? { what, count: 0, lines: [] }
    sum.set(what, {
      what,
      count: total.count + count,
      lines: [...total.lines, ...lines].slice(0, 3),
    })
  }
  const counter = new LeftOutCounter([...sum.values()])
  for (const from of channels)
    if (alreadyImported.has(refOf(from)))
      counter.add('channels that were already imported', `#${from.name}`)
  return counter.kinds
}

function importedMessageCount(
  channels: readonly { messages: number; skipped?: string | undefined }[],
): number {
  return channels.reduce((sum, item) => sum + (item.skipped === undefined ? item.messages : 0), 0)
}
