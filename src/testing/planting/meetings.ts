import { dayCounter, literals, type Planter } from './planter.ts'

/** A private meeting that is over, with transcript, note, decisions and actions; one in the trash; one of the project. */
export const meetings: Planter = {
  async plant(make, say, around) {
    const person_id = around.person![0]!
    const day = await dayCounter(make)
    const met = await make('create_meeting', {
      title: say('meeting'),
      starts_at: `${day(-1)}T10:00`,
      ends_at: `${day(-1)}T11:00`,
      participants: ['me', `${say('outsider')} <out@outside.example>`],
      agenda: [say('point')],
      project_id: around.project![0],
    })
    await make('update_meeting', { meeting_id: met.id, notes_markdown: say('minutes') })
    await make('import_transcript', {
      meeting_id: met.id,
      content: `${say('speaker')}: ${say('was said')}`,
    })
    const note = await make('add_meeting_note', { meeting_id: met.id, body_markdown: say('note') })
    const earlier = await make('record_decision', {
      title: say('former decision'),
      decision_markdown: say('reason'),
      meeting_id: met.id,
      alternatives: [say('option')],
      decided_by: [person_id],
    })
    const decided = await make('record_decision', {
      title: say('decision'),
      decision_markdown: say('reason'),
      project_id: around.project![0],
      supersedes_id: earlier.id,
    })
    const added = await make('add_action_items', {
      meeting_id: met.id,
      items: [
        { text: say('action'), owner: 'me', quote: say('quote'), due_on: day(11) },
        { text: say('second action'), owner: say('owner') },
      ],
    })
    const ofProject = await make('create_meeting', {
      title: say('project meeting'),
      starts_at: `${day(0)}T15:00`,
      project_id: around.project![0],
      visibility: 'project',
    })
    const gone = await make('create_meeting', { title: say('trashed meeting') })
    await make('delete_meeting', { meeting_id: gone.id })
    return {
      meeting: [met.id, ofProject.id],
      meeting_note: [note.id],
      decision: [decided.id, earlier.id],
      action_item: added.items.map((item: { id: string }) => item.id),
      trashed: [gone.id],
    }
  },
  rows(planted) {
    const met = `meeting_id IN (${literals(planted.meeting)})`
    const transcripts = `transcript_id IN (SELECT id FROM transcripts WHERE ${met})`
    return {
      meetings: `id IN (${literals([...planted.meeting!, ...planted.trashed!])})`,
      meeting_people: met,
      meeting_notes: met,
      transcripts: met,
      transcript_speakers: transcripts,
      transcript_lines: transcripts,
      decisions: `id IN (${literals(planted.decision)})`,
      action_items: met,
    }
  },
  inside(own, planted) {
    const meeting_id = own.meeting![0]!
    return [
      ...planted
        .person!.filter((id) => id.startsWith('usr_'))
        .flatMap((id): [string, Record<string, unknown>, string][] => [
          ['create_meeting', { title: 'x', participants: [id] }, 'person'],
          ['update_meeting', { meeting_id, participants: [id] }, 'person'],
          ['add_action_items', { meeting_id, items: [{ text: 'x', owner: id }] }, 'person'],
          ['import_transcript', { meeting_id, content: 'A: x', speaker_map: { A: id } }, 'person'],
        ]),
    ]
  },
}
