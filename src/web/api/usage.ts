import type { OrganizationUsage, OwnUsage } from './operations.ts'

export type UsageReport = OwnUsage | OrganizationUsage
export type Tally = Pick<UsageReport, 'calls' | 'errors' | 'denied'>
