import type { Command } from 'commander'
import { MasterKeyUnavailable, MasterKeys } from '../../secrets/master.ts'
import { rotationProblem, rotate, countSealedByKey } from '../../secrets/rotate.ts'
import { UnsealError } from '../../secrets/seal.ts'
import { addCommand, addCommandGroup, print, table, type CommonOptions } from '../command.ts'
import { exitCodes, CliError } from '../exit.ts'
import { settingsOf, withStore, type CommandContext } from '../open.ts'
import { quantity } from '../../kernel/text/quantity.ts'

export function registerSecretsCommands(program: Command): void {
  const secrets = addCommandGroup(
    program,
    'secrets',
    'Manage the encrypted secrets in the database (webhook secrets, mail passwords) and their master key.',
    ['workspace secrets status', 'workspace secrets rotate'],
  )
  addCommand(
    secrets,
    'status',
    'Show which secrets are sealed with which master key. Exit code 78 if that key is missing.',
    ['workspace secrets status --json'],
  )
    .option('--master-key-file <file>', 'file of the master key (WORKSPACE_MASTER_KEY_FILE)')
    .action(status)
  addCommand(
    secrets,
    'rotate',
    'Create a new master key and reseal all secrets; works while the server runs. If interrupted, run it again to continue. Older keys stay in the file, for backups that need them.',
    ['workspace secrets rotate', 'workspace secrets rotate --forget-older'],
  )
    .option('--master-key-file <file>', 'file of the master key (WORKSPACE_MASTER_KEY_FILE)')
    .option(
      '--forget-older',
      'then remove older keys from the file; without a copy of them, secrets in older backups are lost',
    )
    .action(rotateAll)
}

interface SecretsOptions extends CommonOptions {
  masterKeyFile?: string
  forgetOlder?: boolean
}

async function status(options: SecretsOptions): Promise<void> {
  const report = await withMaster(options, async ({ store }, master) => {
    const problem = await rotationProblem(store, master)
    const keys = problem ? [] : master.keys()
    return {
      master: master.location,
      present: keys[0]?.kid ?? null,
      keys: keys.map((key) => key.kid),
      sealed: await countSealedByKey(store),
      problem: problem ?? null,
    }
  })
  print(options.json, report, () => statusLines(report))
  if (report.problem) process.exitCode = exitCodes.configuration
}

function statusLines({
  master,
  present,
  sealed,
  problem,
}: {
  master: string
  present: string | null
  sealed: { kid: string; rows: number }[]
  problem: string | null
}): string {
  const rows = sealed.map(({ kid, rows }) => [
    kid,
    String(rows),
    kid === present ? 'present' : 'older: workspace secrets rotate',
  ])
  const head = present
    ? `Master key ${present}, from ${master}. Keep a copy of it, apart from the backups.`
    : `No master key yet; the first secret creates one in ${master}.`
  return [
    problem ?? head,
    ...(rows.length > 0 ? [table(['KEY', 'SECRETS', ''], rows)] : ['Nothing is sealed.']),
  ].join('\n')
}

async function rotateAll(options: SecretsOptions): Promise<void> {
  const rotation = await withMaster(options, async ({ store, clock }, master) => {
    const rotated = await rotate(store, master, () => clock.now())
    if (options.forgetOlder)
      master.retainOnly(
        new Set([rotated.kid, ...(await countSealedByKey(store)).map((item) => item.kid)]),
      )
    return { ...rotated, where: master.location }
  })
  print(options.json, rotation, () => {
    const outcome = rotation.isNew
      ? `The master key is ${rotation.kid} now`
      : `An earlier rotation is complete: the master key is ${rotation.kid}`
    return `${outcome} (${rotation.where}); ${quantity(rotation.resealed, 'secret was', 'secrets were')} sealed with it.${options.forgetOlder ? ' It is now the only one there; earlier backups need the older ones.' : ' The older keys stay there, for backups that need them.'}\nKeep a copy of it, apart from the backups.`
  })
}

async function withMaster<T>(
  cliOptions: SecretsOptions,
  work: (opened: CommandContext, master: MasterKeys) => Promise<T>,
): Promise<T> {
  const { master_key_file } = settingsOf({
    data: cliOptions.data,
    masterKeyFile: cliOptions.masterKeyFile,
  })
  const master = new MasterKeys({ file: master_key_file, env: process.env.WORKSPACE_MASTER_KEY })
  try {
    return await withStore(cliOptions, (opened) => work(opened, master))
  } catch (error) {
    if (error instanceof MasterKeyUnavailable || error instanceof UnsealError)
      throw new CliError('configuration', error.message)
    throw error
  }
}
