import type { DoctorFinding } from '../ops/doctor/finding.ts'

const marks = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const

/** A finding as people read it: what it is, and below it what mends it. */
export function findingLine({ check, state, says, fix }: DoctorFinding): string {
  return `${marks[state]}  ${check.padEnd(9)} ${says}${fix && state !== 'ok' ? `\n                → ${fix}` : ''}`
}
