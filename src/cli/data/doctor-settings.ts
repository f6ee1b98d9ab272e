import { readSettings, settingList, type Settings } from '../../config/settings.ts'
import { nearestNames } from '../../kernel/text/nearest.ts'
import type { DoctorFinding } from '../../ops/doctor/finding.ts'
import type { CommonOptions } from '../command.ts'

const prefix = 'WORKSPACE_'
/** Variables that other commands and the launcher read. */
const otherVariables = [
  'WORKSPACE_KEY',
  'WORKSPACE_URL',
  'WORKSPACE_MASTER_KEY',
  'WORKSPACE_EMBEDDINGS_KEY',
  'WORKSPACE_RERANK_KEY',
  'WORKSPACE_PRESET',
  'WORKSPACE_READONLY',
  'WORKSPACE_ALLOW_HTTP',
  'WORKSPACE_LAUNCHER',
]

/** The settings as a server would read them here; an invalid setting becomes a finding instead of an error. */
export function inspectSettings(options: CommonOptions): {
  settings?: Settings
  findings: DoctorFinding[]
} {
  try {
    const settings = readSettings({ data: options.data })
    const unknown = unknownVariables(process.env)
    return {
      settings,
      findings:
        unknown.length > 0
          ? unknown
          : [{ check: 'settings', state: 'ok', says: 'No setting in the environment is wrong.' }],
    }
  } catch (error) {
    return {
      findings: [
        {
          check: 'settings',
          state: 'fail',
          says: (error as Error).message,
          fix: 'workspace serve --help-all lists the settings',
        },
      ],
    }
  }
}

/** Variables that look like settings but are unknown: typos that nothing else would detect. */
function unknownVariables(env: NodeJS.ProcessEnv): DoctorFinding[] {
  const knownNames = [...Object.values(settingList).map((item) => item.env), ...otherVariables]
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(prefix) && !knownNames.includes(name),
  )
  return unknown.map((name) => {
    const [suggestion] = nearestNames(
      name.slice(prefix.length),
      knownNames.map((item) => item.slice(prefix.length).toLowerCase()),
      1,
    )
    return {
      check: 'settings',
      state: 'warn',
      says: `${name} is not a setting and has no effect.${suggestion ? ` Was ${prefix}${suggestion.toUpperCase()} meant?` : ''}`,
      fix: 'workspace serve --help-all lists the settings',
    }
  })
}
