import type { OrganizationUsage, OwnUsage } from './operations.ts'

/** What was called in the last days. */
export type UsageReport = OwnUsage | OrganizationUsage
export type Tally = Pick<UsageReport, 'calls' | 'errors' | 'denied'>
