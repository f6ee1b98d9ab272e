import { literals, type Planter } from './planter.ts'

/** Who is in no team and no administrator has no pulses. */
function unlessDenied(error: Error & { code?: string }): undefined {
  if (error.code !== 'permission_denied' && !error.message.includes('permission_denied'))
    throw error
}

/** A pulse of a team in which its maker is alone; teams themselves are everybody's to see, so the team bears no word. */
export const pulses: Planter = {
  async plant(make, say, around) {
    const { items } = await make('list_teams', { person_id: 'me' })
    const team =
      items[0] ??
      (await make('create_team', { name: 'Pulse team', lead_id: 'me' }).catch(unlessDenied))
    if (!team) return {}
    const pulse = await make('create_pulse', {
      name: say('pulse'),
      team_id: team.id,
      questions: [
        { text: say('question'), type: 'choice', options: [say('option'), 'none'] },
        { text: 'How?', type: 'scale' },
      ],
      rrule: 'FREQ=WEEKLY;BYDAY=MO',
      ...(around.channel ? { channel_id: around.channel[0] } : {}),
    })
    return { pulse: [pulse.id] }
  },
  rows(planted) {
    const pulse = `pulse_id IN (${literals(planted.pulse)})`
    return {
      pulses: `id IN (${literals(planted.pulse)})`,
      pulse_rounds: pulse,
      pulse_responses: pulse,
    }
  },
}
