import { suggestionFor } from '../../kernel/text/nearest.ts'
import type { Command } from 'commander'
import type { Settings } from '../../config/settings.ts'
import { checkFiles, checkSpace } from '../../ops/doctor/files.ts'
import type { DoctorFinding } from '../../ops/doctor/finding.ts'
import { checkRuntime } from '../../ops/doctor/machine.ts'
import { addressesWithVisibility } from '../../oauth/public-view.ts'
import { checkDiscovery } from '../../ops/doctor/oauth.ts'
import { checkServer } from '../../ops/doctor/server.ts'
import { checkTls } from '../../ops/doctor/tls.ts'
import { certificateFiles, trustOwnCertificate } from '../server/certificate.ts'
import { addCommand, print, type CommonOptions } from '../command.ts'
import { exitCodes, CliError } from '../exit.ts'
import { findingLine, findingsSummary } from '../findings.ts'
import { runningServer } from '../server/running-server.ts'
import { databaseFindings } from './doctor-database.ts'
import { inspectSettings } from './doctor-settings.ts'

const checks = [
  'settings',
  'files',
  'space',
  'runtime',
  'clock',
  'tls',
  'server',
  'oauth',
  'database',
  'search',
  'call log',
  'keys',
  'secrets',
  'backups',
  'jobs',
  'accounts',
  'sign-in',
  'contents',
]

export function registerDoctorCommand(program: Command): void {
  addCommand(
    program,
    'doctor',
    'Check configuration, files, database, call log and machine, and suggest fixes. Read-only; works while the server runs. Exit code 1 if something is wrong, 74 if the database is damaged.',
    ['workspace doctor', 'workspace doctor --json', 'workspace doctor --only database'],
  )
    .option('--only <check>', `run only this check: ${checks.join(', ')}`)
    .action(doctor)
}

async function doctor(options: CommonOptions & { only?: string }): Promise<void> {
  if (options.only !== undefined && !checks.includes(options.only))
    throw new CliError(
      'usage',
      `--only: there is no check ${options.only.slice(0, 80)}.${suggestionFor(options.only, checks)} Use one of ${checks.join(', ')}.`,
    )
  const all = await findings(options)
  const selectedFindings = all.filter(
    (doctorFinding) =>
      options.only === undefined ||
      doctorFinding.check === options.only ||
      (doctorFinding.check === 'settings' && doctorFinding.state === 'fail'),
  ) // a wrong setting ends all checks
  const ok =
    selectedFindings.every((doctorFinding) => doctorFinding.state !== 'fail') &&
    selectedFindings.length > 0
  print(options.json, { ok, findings: selectedFindings }, () =>
    [...selectedFindings.map(findingLine), '', findingsSummary(selectedFindings)].join('\n'),
  )
  if (!ok)
    process.exitCode = selectedFindings.some((doctorFinding) => doctorFinding.damaged)
      ? exitCodes.damaged
      : exitCodes.refused
}

async function findings(cliOptions: CommonOptions & { only?: string }): Promise<DoctorFinding[]> {
  const isSelected = (...checks: string[]) =>
    cliOptions.only === undefined || checks.includes(cliOptions.only)
  const { settings, findings } = inspectSettings(cliOptions)
  if (!settings) return findings
  const now = Date.now()
  const running = runningServer(settings.data)
  if (running) trustOwnCertificate(settings.data)
  const generalFindings = [
    ...findings,
    ...checkFiles(settings.data),
    ...checkSpace(settings.data),
    ...checkRuntime(),
    ...tlsFindings(settings, now),
    ...(isSelected('server') ? await checkServer(running, settings.base_url) : []),
    ...(isSelected('oauth')
      ? await checkDiscovery(running, settings, addressesWithVisibility)
      : []),
  ]
  return [
    ...generalFindings,
    ...(await databaseFindings(cliOptions, {
      settings,
      now,
      isServed: running !== undefined,
      isSelected,
    })),
  ]
}

function tlsFindings(settings: Settings, now: number): DoctorFinding[] {
  const files = certificateFiles(settings)
  return files
    ? checkTls(files, settings.base_url ? new URL(settings.base_url).hostname : undefined, now)
    : []
}
