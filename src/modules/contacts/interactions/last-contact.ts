import type { Tick } from '../../../operations/jobs/tick.ts'
import { organizationBehind, followChanges } from './access-last-contact.ts'

/** Updates last contact times soon after meetings or interactions change. */
export const followMeetings: Tick = {
  name: 'follow_meetings_with_contacts',
  due: async (all) => (await organizationBehind(all)) !== undefined,
  async run(system) {
    const org = await organizationBehind(system.all)
    if (!org) return false
    await followChanges(system, org)
    return true
  },
}
