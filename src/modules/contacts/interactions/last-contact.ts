import type { Tick } from '../../../operations/jobs/tick.ts'
import { contactsBehind, followChanges } from './access-last-contact.ts'

/** Keeps when people outside were last met or spoken to, soon after a meeting begins, moves, or is taken back. */
export const followMeetings: Tick = {
  name: 'follow_meetings_with_contacts',
  due: async (all) => (await contactsBehind(all)) !== undefined,
  async run(system) {
    const org = await contactsBehind(system.all)
    if (!org) return false
    await followChanges(system, org)
    return true
  },
}
