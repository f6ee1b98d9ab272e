import type { DoctorFinding } from '../ops/doctor/finding.ts'

const marks = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const

/** A finding as text: the result, and below it the remedy. */
export function findingLine({ check, state, says, fix }: DoctorFinding): string {
  return `${marks[state]}  ${check.padEnd(9)} ${says}${fix && state !== 'ok' ? `\n                → ${fix}` : ''}`
}

/** The overall result, printed below the findings. */
export function findingsSummary(findings: readonly DoctorFinding[]): string {
  const count = (state: DoctorFinding['state']) =>
    findings.filter((doctorFinding) => doctorFinding.state === state).length
  if (count('fail') > 0) return `Wrong: ${count('fail')}. Worth a look: ${count('warn')}.`
  return count('warn') > 0 ? `Nothing is wrong. Worth a look: ${count('warn')}.` : 'All is well.'
}
