import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { blobPath } from '../../../files/blobs.ts'
import type { LeftOut } from '../../../kernel/left-out.ts'
import type { Id } from '../../../kernel/ids.ts'
import { GiveUp, jobKind, type JobContext } from '../../../operations/jobs/job.ts'
import type { Tick } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { file } from '../../drive/access.ts'
import { importers } from '../../import-sandbox.ts'
import { channel } from '../access.ts'
import {
  endChatImport,
  endLostChatImports,
  importedBefore,
  chatImport,
  storeState,
  type ImportState,
} from './access.ts'
import {
  selectChannels,
  createChannel,
  addChannelMembers,
  matchPeople,
  personKey,
  refOf,
  writeMessages,
  type ImportOptions,
} from './writer.ts'
import type { SlackChannel, SlackOverview } from './slack-export.ts'

export interface ChatImportProgress {
  channels: { name: string; channel_id: string; messages: number }[]
  messages: number
  skipped: { channel: string; reason: string }[]
  left_out: LeftOut[]
  /** Each undoes a part; to undo everything, start with the last. */
  undo_call_ids: string[]
}

export const chatImportJob = 'import_channels'

export const importChannelsJob = jobKind({
  name: chatImportJob,
  about: 'Imports the channels of an export, in batches',
  args: z.strictObject({ import_id: z.string() }),
  concurrency: 1,
  timeout: 4 * 3600_000,
  async run({ import_id }, job) {
    const row = await job.write((system) => chatImport(system, import_id))
    if (!row || row.finished_at !== null) throw new GiveUp('Nothing is left to import.')
    const run = new ChannelImport(row, job)
    const result = await run.importAll(await bytesFor(row, job))
    await job.write((system) => endChatImport(system, import_id))
    return result
  },
})

/** The file's content, while visible to the person who started the import. */
async function bytesFor(row: Row<'chat_imports'>, job: JobContext): Promise<Buffer> {
  const fileRow = await job.write((system) =>
    system.as(row.owner_id, (ctx) => file.find(ctx, row.file_id), { key: row.key_id }),
  )
  if (!fileRow || fileRow.sha256 === '') throw new GiveUp('The import file no longer exists.')
  return readFile(blobPath(job.settings.data, fileRow.sha256)).catch(() => {
    throw new GiveUp('The content of the import file no longer exists.')
  })
}

class ChannelImport {
  readonly #row: Row<'chat_imports'>
  readonly #job: JobContext
  readonly #options: ImportOptions
  readonly #state: ImportState
  readonly #result: ChatImportProgress
  #done = 0
  #total = 0

  constructor(row: Row<'chat_imports'>, job: JobContext) {
    this.#row = row
    this.#job = job
    this.#options = JSON.parse(row.options_json) as ImportOptions
    this.#state = JSON.parse(row.state_json) as ImportState
    this.#result = JSON.parse(row.result_json) as ChatImportProgress
  }

  async importAll(bytes: Buffer): Promise<ChatImportProgress> {
    const overview = await importers.run('slackOverview', { bytes }, { owner: this.#row.owner_id })
    const channels = selectChannels(overview.channels, this.#options)
    this.#total = channels.reduce((sum, slackChannel) => sum + slackChannel.messages, 0)
    for (const slackChannel of channels) await this.#channel(bytes, slackChannel, overview)
    return this.#result
  }

  async #channel(bytes: Buffer, from: SlackChannel, overview: SlackOverview): Promise<void> {
    const state = this.#state[from.ref] ?? (await this.#begin(from))
    if (!state || state.isComplete) return void (this.#done += from.messages)
    const roots = new Map<number, Id<'messages'>>()
    let readCount = 0
    for await (const batch of importers.batches(
      'slackMessages',
      { bytes, channel: from.name },
      { owner: this.#row.owner_id },
    )) {
      const unwritten = batch.slice(Math.max(0, state.done - readCount))
      readCount += batch.length
      if (unwritten.length > 0) {
        await this.#write(async (ctx) => {
          await writeMessages(ctx, state.channel, unwritten, roots)
          state.done += unwritten.length
          this.#result.messages += unwritten.length
        })
      }
      this.#job.progress(
        (this.#done += batch.length),
        this.#total,
        `messages imported, current channel: #${from.name}`,
      )
    }
    await this.#end(state, from, overview)
  }

  /** Creates the channel; undefined if it was imported before. */
  async #begin(from: SlackChannel): Promise<ImportState[string] | undefined> {
    return this.#write(async (ctx) => {
      if ((await importedBefore(ctx, [refOf(from)])).size > 0) {
        this.#result.skipped.push({ channel: from.name, reason: 'It was already imported.' })
        return undefined
      }
      const row = await createChannel(ctx, from)
      this.#result.channels.push({ name: row.name!, channel_id: row.id, messages: from.messages })
      return (this.#state[from.ref] = { channel: row.id, done: 0 })
    })
  }

  async #end(
    state: ImportState[string],
    from: SlackChannel,
    overview: SlackOverview,
  ): Promise<void> {
    await this.#write(async (ctx) => {
      const row = await channel.demand(ctx, state.channel, 'edit', 'channel_id')
      const people = await matchPeople(ctx, overview.people, this.#options)
      const members = from.members.flatMap((member) => people.get(personKey(member))?.id ?? [])
      await addChannelMembers(ctx, row, [...new Set([ctx.actor.id, ...members])])
      if (from.isArchived) await ctx.change('channels', row, { archived_at: ctx.now })
      state.isComplete = true
    })
  }

  /** One transaction in the name of the import's owner, which also stores the progress. */
  #write<T>(work: (ctx: Parameters<typeof writeMessages>[0]) => Promise<T>): Promise<T> {
    return this.#job.write(async (system) => {
      const value = await system.as(
        this.#row.owner_id,
        async (ctx) => {
          this.#result.undo_call_ids.push(ctx.callId)
          return work(ctx)
        },
        { key: this.#row.key_id },
      )
      await storeState(system, this.#row.id, this.#state, this.#result)
      return value
    })
  }
}

export const endChatImportsTick: Tick = { name: 'end_lost_chat_imports', run: endLostChatImports }
