import type { Input, Output } from '../../../api/client.ts'
import { channelImport as words } from '../../../texts/en/imports/channels.ts'
import type { ImportJob } from '../jobs.ts'
import { withJobProblem, type ImportOutcome } from '../run.ts'
import { useImportPlan } from '../plan.ts'
import type { ImportSource } from '../source.ts'

export type ChannelPlan = Output<'import_channels'>
export type SlackPerson = ChannelPlan['people'][number]
export type PeopleMap = NonNullable<Input<'import_channels'>['people']>

/** An export is always read from the drive, because the job continues to read it. */
export const fileIdOf = ({ input }: ImportSource): string =>
  'file_id' in input ? input.file_id : ''

/** Contents of an export, and the planned import. */
export const useChannelPlan = (source: ImportSource, people: PeopleMap) =>
  useImportPlan({
    operation: 'import_channels',
    source,
    options: people,
    input: { file_id: fileIdOf(source), people, dry_run: true },
  })

export interface ChannelOutcome extends ImportOutcome {
  channels: readonly { id: string; title: string }[]
  skipped: readonly { at: string; reason: string }[]
}

interface JobResult {
  channels: { name: string; channel_id: string }[]
  messages: number
  skipped: { channel: string; reason: string }[]
  undo_call_ids: string[]
}

/** Without a job, there was nothing left to import. */
export const channelsOutcome = ({ channels }: ChannelPlan): ChannelOutcome => ({
  text: words.done(0, 0),
  callIds: [],
  channels: [],
  skipped: channels.flatMap(({ name, skipped }) =>
    skipped === undefined ? [] : [{ at: words.named(name), reason: skipped }],
  ),
})

/** Result of a job; if it failed, only that is known. */
export function channelsJobOutcome(job: ImportJob): ChannelOutcome {
  const none: JobResult = { channels: [], messages: 0, skipped: [], undo_call_ids: [] }
  const { channels, messages, skipped, undo_call_ids } =
    (job.result as JobResult | undefined) ?? none
  const outcome = {
    text: words.done(channels.length, messages),
    callIds: undo_call_ids,
    channels: channels.map(({ name, channel_id }) => ({
      id: channel_id,
      title: words.named(name),
    })),
    skipped: skipped.map(({ channel, reason }) => ({ at: words.named(channel), reason })),
  }
  return withJobProblem(job, words.legend, outcome)
}
