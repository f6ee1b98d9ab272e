import { Command, CommanderError } from 'commander'
import { exitHelp, exitCodes, reportError } from './exit.ts'
import { version } from './version.ts'

interface CommandGroup {
  about: string
  load: () => Promise<(program: Command) => void>
}

/** The commands. Only the requested one is loaded, so that help and version are fast. */
const groups: Record<string, CommandGroup> = {
  serve: {
    about: 'start the workspace',
    load: async () => (await import('./server/serve.ts')).registerServeCommand,
  },
  orgs: {
    about: 'create and list organizations, assign plans',
    load: async () => (await import('./people/orgs.ts')).registerOrgsCommands,
  },
  users: {
    about: 'create, list and deactivate people; set roles and passwords',
    load: async () => (await import('./people/users.ts')).registerUsersCommands,
  },
  keys: {
    about: 'create, list, revoke and check API keys',
    load: async () => (await import('./people/keys.ts')).registerKeysCommands,
  },
  oauth: {
    about: 'list, enter, allow and refuse programs that people connect',
    load: async () => (await import('./people/oauth.ts')).registerOAuthCommands,
  },
  sso: {
    about: 'let people sign in at identity providers (OpenID Connect)',
    load: async () => (await import('./people/sso.ts')).registerSsoCommands,
  },
  approvals: {
    about: 'approve or deny outbound calls that wait for approval',
    load: async () => (await import('./use/approvals.ts')).registerApprovalsCommands,
  },
  accounts: {
    about: 'connect external mail, calendar and file accounts',
    load: async () => (await import('./people/accounts.ts')).registerAccountsCommands,
  },
  connect: {
    about: 'connect an assistant: show how, write its configuration, check it',
    load: async () => (await import('./connect.ts')).registerConnectCommand,
  },
  mcp: {
    about: 'MCP over stdio, for assistants that can only start a command',
    load: async () => (await import('./mcp.ts')).registerMcpCommand,
  },
  call: {
    about: 'call any operation as a person',
    load: async () => (await import('./use/call.ts')).registerCallCommand,
  },
  backup: {
    about: 'back everything up while it runs',
    load: async () => (await import('./data/backup.ts')).registerBackupCommand,
  },
  restore: {
    about: 'restore a backup into an empty folder',
    load: async () => (await import('./data/restore.ts')).registerRestoreCommand,
  },
  migrate: {
    about: 'move the workspace from SQLite to PostgreSQL, or back',
    load: async () => (await import('./data/migrate.ts')).registerMigrateCommand,
  },
  doctor: {
    about: 'check configuration, files, database and machine; suggest fixes',
    load: async () => (await import('./data/doctor.ts')).registerDoctorCommand,
  },
  health: {
    about: 'check whether the running workspace is ready (for containers and monitoring)',
    load: async () => (await import('./server/health.ts')).registerHealthCommand,
  },
  audit: {
    about: 'verify and export the call log',
    load: async () => (await import('./data/audit.ts')).registerAuditCommands,
  },
  secrets: {
    about: 'show the sealed secrets; change the master key',
    load: async () => (await import('./data/secrets.ts')).registerSecretsCommands,
  },
  usage: {
    about: 'show calls made and plan limits',
    load: async () => (await import('./use/usage.ts')).registerUsageCommand,
  },
  abuse: {
    about: 'show findings of the abuse rules; release held keys',
    load: async () => (await import('./use/abuse.ts')).registerAbuseCommands,
  },
  jobs: {
    about: 'list, retry and cancel background jobs',
    load: async () => (await import('./data/jobs.ts')).registerJobsCommands,
  },
  search: {
    about: 'show and rebuild the semantic search index',
    load: async () => (await import('./data/search.ts')).registerSearchCommands,
  },
  demo: {
    about: 'create an organization with sample data',
    load: async () => (await import('./demo/demo.ts')).registerDemoCommand,
  },
}

const examples = `
Examples:
  workspace serve                                               start it; the first start prints a setup link
  workspace users create --email ann@example.org --name Ann     add a colleague
  workspace keys create --user ann@example.org --name laptop    create a key and show how to connect an assistant
  workspace call list_tasks --as ann@example.org --overdue      call any operation, as an assistant would
`

/** The command line with those command groups loaded that these arguments need. */
export async function programFor(args: readonly string[]): Promise<Command> {
  const program = new Command('workspace')
    .description('A workspace that people share with their AI assistants.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help; works after every command')
    .addHelpText('after', examples + exitHelp)
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // runProgram reports errors, in the requested format
  const groupName = args.find((arg) => arg in groups)
  for (const [name, { about, load }] of Object.entries(groups)) {
    if (name === groupName) (await load())(program)
    else program.command(name).description(about)
  }
  return program
}

/** Runs a command line to completion. Returns the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let program: Command | undefined
  try {
    program = await programFor(args)
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? exitCodes.ok)
  } catch (error) {
    if (error instanceof CommanderError) return reportUsageError(error, args, program)
    return reportError(error, args.includes('--json') || args[0] === 'call')
  }
}

function reportUsageError(
  error: CommanderError,
  args: readonly string[],
  program: Command | undefined,
): number {
  if (error.exitCode === 0) return exitCodes.ok // help and version are thrown, too
  if (error.code === 'commander.help') return exitCodes.usage // a group without a command: its help is on stderr already
  const message = error.message.replace(/^error: /, '')
  const help = ['workspace', ...commandPathOf(args, program), '--help'].join(' ')
  process.stderr.write(
    args.includes('--json')
      ? `${JSON.stringify({ code: 'usage', message })}\n`
      : `workspace: ${message}\nSee ${help}\n`,
  )
  return exitCodes.usage
}

/** The words of a command line that name the command. */
function commandPathOf(args: readonly string[], program: Command | undefined): string[] {
  const at = args.findIndex((arg) => arg in groups)
  if (at < 0) return []
  const subcommand = program?.commands
    .find((command) => command.name() === args[at])
    ?.commands.find((command) => command.name() === args[at + 1])
  return subcommand ? [args[at]!, subcommand.name()] : [args[at]!]
}
