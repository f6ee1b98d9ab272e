import { suggestionFor } from '../../kernel/text/nearest.ts'
import type { Command } from 'commander'
import { truncate } from '../../kernel/text/truncate.ts'
import {
  cancelJob,
  requireJob,
  listJobs,
  retryJob,
  runJobNow,
  type ListedJob,
} from '../../jobs/control.ts'
import { requirePerson } from '../../identity/people.ts'
import {
  addCommand,
  addCommandGroup,
  isoOrNull,
  print,
  table,
  formatMoment,
  type CommonOptions,
} from '../command.ts'
import { CliError } from '../exit.ts'
import { runningServer } from '../server/running-server.ts'
import { withStore, type CommandContext } from '../open.ts'

const states = ['waiting', 'running', 'done', 'dead', 'cancelled'] as const

export function registerJobsCommands(program: Command): void {
  const jobs = addCommandGroup(
    program,
    'jobs',
    'List, retry and cancel background jobs. The running server does the work.',
    ['workspace jobs list --state dead', 'workspace jobs retry job_01…'],
  )
  addCommand(jobs, 'list', 'List jobs, newest first.', [
    'workspace jobs list',
    'workspace jobs list --state dead --kind prune_jobs --json',
  ])
    .option('--state <state>', `only these: ${states.join(', ')}`)
    .option('--kind <kind>', 'only this kind')
    .option('--user <email>', 'only jobs of this person')
    .option('--limit <number>', 'maximum number to list', '50')
    .action(printJobs)
  addCommand(jobs, 'show <id>', 'Show one job in full.', ['workspace jobs show job_01…']).action(
    printJob,
  )
  addCommand(
    jobs,
    'retry <id>',
    'Restart a job that is dead, cancelled or waiting for its next attempt.',
    ['workspace jobs retry job_01…'],
  ).action(jobAction(retryJob))
  addCommand(jobs, 'cancel <id>', 'Cancel a waiting job, or ask a running one to stop.', [
    'workspace jobs cancel job_01…',
  ]).action(jobAction(cancelJob))
  addCommand(jobs, 'run-now <id>', 'Run a waiting job now.', [
    'workspace jobs run-now job_01…',
  ]).action(jobAction(runJobNow))
}

interface ListOptions extends CommonOptions {
  state?: string
  kind?: string
  user?: string
  limit: string
}

async function printJobs(options: ListOptions): Promise<void> {
  const state = states.find((item) => item === options.state)
  if (options.state !== undefined && !state)
    throw new CliError(
      'usage',
      `--state: there is no state ${options.state.slice(0, 80)}.${suggestionFor(options.state, states)} Use one of ${states.join(', ')}.`,
    )
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new CliError('usage', '--limit: 1 to 10000.')
  const rows = await withStore(options, async ({ store }) => {
    const owner =
      options.user === undefined ? undefined : (await requirePerson(store, options.user)).id
    return listJobs(store, { state, kind: options.kind, owner, limit })
  })
  const lines = rows.map((row) => [
    row.id,
    row.kind,
    jobStateText(row),
    row.email ?? '–',
    `${row.attempts}/${row.most_attempts}`,
    formatMoment(row.state === 'waiting' ? row.run_at : (row.finished_at ?? row.started_at)),
    shortened(row.last_error),
  ])
  print(options.json, rows.map(presentListedJob), () =>
    rows.length === 0
      ? 'No jobs found.'
      : table(['ID', 'KIND', 'STATE', 'OWNER', 'TRIES', 'AT', 'ERROR'], lines),
  )
}

async function printJob(id: string, cliOptions: CommonOptions): Promise<void> {
  const row = await withStore(cliOptions, ({ store }) => requireJob(store, id))
  const value = presentListedJob(row)
  print(cliOptions.json, value, () =>
    Object.entries(value)
      .map(([name, fieldValue]) => `${name.padEnd(14)}${fieldText(fieldValue)}`)
      .join('\n'),
  )
}

function jobAction(change: typeof retryJob): (id: string, options: CommonOptions) => Promise<void> {
  return async (id, options) => {
    const { row, server } = await withStore(
      options,
      async ({ store, clock, settings }: CommandContext) => {
        await change(store, clock, id)
        return { row: await requireJob(store, id), server: runningServer(settings.data) }
      },
    )
    const note =
      row.state === 'waiting' && !server
        ? ' No server is running; it continues when one starts.'
        : ''
    print(
      options.json,
      presentListedJob(row),
      () => `${row.kind} ${row.id} is ${jobStateText(row)}.${note}`,
    )
  }
}

function jobStateText({ state, cancel_asked }: ListedJob): string {
  return state === 'running' && cancel_asked ? 'running, to stop' : state
}

/** Presents a job. Its arguments are included: by convention they contain only ids and short words. */
function presentListedJob(row: ListedJob) {
  const {
    id,
    kind,
    state,
    email,
    priority,
    attempts,
    most_attempts,
    cancel_asked,
    unique_key,
    last_error,
  } = row
  const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as unknown))
  return {
    id,
    kind,
    state,
    owner: email,
    arguments: parsed(row.arguments_json),
    priority: (['high', 'normal', 'low'] as const)[priority],
    attempts,
    most_attempts,
    cancel_asked: cancel_asked === 1,
    unique_key,
    progress: parsed(row.progress_json),
    result: parsed(row.result_json),
    last_error,
    run_at: isoOrNull(row.run_at),
    created_at: isoOrNull(row.created_at),
    started_at: isoOrNull(row.started_at),
    finished_at: isoOrNull(row.finished_at),
  }
}

function shortened(text: string | null): string {
  return truncate(text ?? '', 60)
}

function fieldText(value: unknown): string {
  if (value === null) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
