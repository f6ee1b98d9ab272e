import { InvalidArgumentError, type Command } from 'commander'
import type { App } from '../../operations/app.ts'
import { command, print, type Common } from '../command.ts'
import { getToKnow, runTheCompany } from '../../demo/company-life.ts'
import { liveOn } from '../../demo/daily-life.ts'
import { Stop } from '../exit.ts'
import { receiveMail } from '../../demo/mail-life.ts'
import { withApp } from '../open.ts'
import { CareLife } from '../../demo/care-life.ts'
import { careTasks } from '../../demo/sample-care.ts'
import { projects } from '../../demo/sample.ts'
import { tasksOfMeetings } from '../../demo/sample-meetings.ts'
import { Studio } from '../../demo/seeder.ts'

const ownTasks = projects.reduce((sum, project) => sum + project.tasks.length, tasksOfMeetings)
const defaultTasks = ownTasks + careTasks

const about =
  `Create an organization with three people, four projects with ${defaultTasks} tasks and three months of cycles, channels, pages, meetings, a goal, contacts with deals, an incident, a form, automations and mailboxes with some mail, through the same operations that assistants use. ` +
  'Every person sees something different. In an empty data folder, it creates the workspace too. With --serve, it is a tour: a server on a temporary folder, which is deleted when you stop it.'

export function registerDemoCommand(program: Command): void {
  command(program, 'demo', about, [
    'workspace demo --serve',
    'workspace demo --serve --busy',
    'workspace demo --data /tmp/try-it',
    'workspace demo --keys --json',
    'workspace demo --org "Load test" --tasks 10000',
  ])
    .option('--org <name>', 'name of the organization', 'Demo Studio')
    .option('--tasks <number>', 'total number of tasks', parseWholeNumber, defaultTasks)
    .option('--keys', 'create a key for each person, shown only once')
    .option(
      '--serve',
      'start a server on it and print a key and a password; uses a temporary folder unless --data is given',
    )
    .option(
      '--port <number>',
      'with --serve: the port to listen on (default: a free one)',
      parseWholeNumber,
    )
    .option('--keep', 'with --serve: keep the temporary folder when the server stops')
    .option(
      '--busy',
      'with --serve: two assistants work in it over MCP while you look, for about an hour',
    )
    .option(
      '--seed <number>',
      'with --busy: what they do is the same for the same seed',
      parseWholeNumber,
    )
    .option('--pace <seconds>', 'with --busy: time between what they do (default: 6)', seconds)
    .action(demo)
}

interface Given extends Common {
  org: string
  tasks: number
  keys?: true
  serve?: true
  port?: number
  keep?: true
  busy?: true
  seed?: number
  pace?: number
}

function parseWholeNumber(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function seconds(text: string): number {
  const value = Number(text)
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text) || value < 0.01)
    throw new InvalidArgumentError('It must be a number of seconds, at least 0.01.')
  return value
}

async function demo(options: Given): Promise<void> {
  if (!options.busy && (options.seed !== undefined || options.pace !== undefined))
    throw new Stop('usage', '--seed and --pace are for the assistants that --busy starts.')
  const filled = (app: App) => fill(app, options)
  if (options.serve) return (await import('./walkthrough.ts')).serveTour(options, filled)
  if (options.port !== undefined || options.keep || options.busy)
    throw new Stop('usage', '--port, --keep and --busy are for the server that --serve starts.')
  const summary = await withApp(
    options,
    async (app) => (await filled(app)).summary(options.keys ?? false),
    'begin',
  )
  print(options.json, summary, () => {
    const who = summary.people.map(
      (person) =>
        `  ${person.email.padEnd(32)} ${person.role.padEnd(7)} sees ${person.projects.join(', ')}${person.key ? `\n    ${person.key}` : ''}`,
    )
    const { email } = summary.people[0]!
    return `Made ${summary.name} with ${summary.tasks} tasks:\n\n${who.join('\n')}\n\nNext: workspace keys create --user ${email} --name …\n      workspace call list_tasks --as ${email} --overdue`
  })
}

async function fill(app: App, { org, tasks }: Given): Promise<Studio> {
  const studio = new Studio(app, org)
  await studio.open()
  const daily = new CareLife(studio, Math.min(careTasks, Math.max(0, tasks - ownTasks)))
  await daily.begin()
  await daily.until(-21)
  studio.goTo(studio.today(-21))
  for (const project of projects) await studio.plan(project)
  await getToKnow(studio)
  await daily.until(-6)
  for (const project of projects) await studio.live(project)
  await daily.until(-2)
  await liveOn(studio)
  await runTheCompany(studio)
  await daily.until(1)
  await receiveMail(studio)
  await studio.workOn(Math.max(0, tasks - defaultTasks))
  return studio
}
