import { InvalidArgumentError, type Command } from 'commander'
import type { App } from '../../operations/app.ts'
import { addCommand, print, type CommonOptions } from '../command.ts'
import { createContacts, createCompanyEvents } from '../../demo/company-life.ts'
import { createDailyActivity } from '../../demo/daily-life.ts'
import { CliError } from '../exit.ts'
import { insertSampleMail } from '../../demo/mail-life.ts'
import { withApp } from '../open.ts'
import { CareSimulation } from '../../demo/care-life.ts'
import { careTaskCount } from '../../demo/sample-care.ts'
import { projects } from '../../demo/sample.ts'
import { meetingTaskCount } from '../../demo/sample-meetings.ts'
import { Studio } from '../../demo/seeder.ts'

const sampleTaskCount = projects.reduce(
  (sum, project) => sum + project.tasks.length,
  meetingTaskCount,
)
const defaultTaskCount = sampleTaskCount + careTaskCount

const about =
  `Create an organization with three people, four projects with ${defaultTaskCount} tasks and three months of cycles, channels, pages, meetings, a goal, contacts with deals, an incident, a form, automations and mailboxes with some mail, through the same operations that assistants use. ` +
  'Every person sees something different. In an empty data folder, it creates the workspace too. With --serve, it is a tour: a server on a temporary folder, which is deleted when you stop it.'

export function registerDemoCommand(program: Command): void {
  addCommand(program, 'demo', about, [
    'workspace demo --serve',
    'workspace demo --serve --busy',
    'workspace demo --data /tmp/try-it',
    'workspace demo --keys --json',
    'workspace demo --org "Load test" --tasks 10000',
  ])
    .option('--org <name>', 'name of the organization', 'Demo Studio')
    .option('--tasks <number>', 'total number of tasks', parseWholeNumber, defaultTaskCount)
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
    .option('--pace <seconds>', 'with --busy: time between what they do (default: 6)', parseSeconds)
    .action(demo)
}

interface DemoOptions extends CommonOptions {
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

function parseSeconds(text: string): number {
  const value = Number(text)
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text) || value < 0.01)
    throw new InvalidArgumentError('It must be a number of seconds, at least 0.01.')
  return value
}

async function demo(options: DemoOptions): Promise<void> {
  if (!options.busy && (options.seed !== undefined || options.pace !== undefined))
    throw new CliError('usage', '--seed and --pace are for the assistants that --busy starts.')
  const fillDemo = (app: App) => fill(app, options)
  if (options.serve) return (await import('./walkthrough.ts')).serveTour(options, fillDemo)
  if (options.port !== undefined || options.keep || options.busy)
    throw new CliError('usage', '--port, --keep and --busy are for the server that --serve starts.')
  const summary = await withApp(
    options,
    async (app) => (await fillDemo(app)).summary(options.keys ?? false),
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

async function fill(app: App, { org, tasks }: DemoOptions): Promise<Studio> {
  const studio = new Studio(app, org)
  await studio.createOrganization()
  const careLife = new CareSimulation(
    studio,
    Math.min(careTaskCount, Math.max(0, tasks - sampleTaskCount)),
  )
  await careLife.begin()
  await careLife.runUntil(-21)
  studio.advanceTo(studio.daysFromNow(-21))
  for (const project of projects) await studio.createProject(project)
  await createContacts(studio)
  await careLife.runUntil(-6)
  for (const project of projects) await studio.createProjectActivity(project)
  await careLife.runUntil(-2)
  await createDailyActivity(studio)
  await createCompanyEvents(studio)
  await careLife.runUntil(1)
  await insertSampleMail(studio)
  await studio.addTasks(Math.max(0, tasks - defaultTaskCount))
  return studio
}
