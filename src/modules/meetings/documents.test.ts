import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getPrompt, listPrompts } from '../../mcp/resources/prompts.ts'
import { listResources, readResource } from '../../mcp/resources/resources.ts'
import { runTick } from '../../operations/jobs/system.ts'
import { assistantOf, errorOf } from '../../mcp/testing.ts'
import { dayLong, makeWorkspace, type Someone, type TestWorkspace } from '../../testing/harness.ts'
import { advancePulses } from './pulses/rounds.ts'

let workspace: TestWorkspace
let meeting: { id: string }

before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  const last = await ann.call('create_meeting', {
    title: 'Kick-off',
    participants: [bob.id],
    starts_at: '2026-11-13T09:00:00Z',
    ends_at: '2026-11-13T10:00:00Z',
  })
  await ann.call('add_action_items', {
    meeting_id: last.id,
    items: [{ text: 'Order pistons', owner: bob.id, due_on: '2026-11-18', quote: 'I order them' }],
  })
  await ann.call('record_decision', {
    title: 'Steel',
    decision_markdown: 'We take steel.\n\n# Not a title',
    meeting_id: last.id,
    decided_by: [ann.id],
  })
  meeting = await ann.call('create_meeting', {
    title: 'Weekly # x',
    participants: [bob.id, 'Zoe <zoe@out.test>'],
    starts_at: '2026-11-23T09:00:00Z',
    agenda: ['[x] Budget', 'Pistons'],
  })
  await ann.call('update_meeting', {
    meeting_id: meeting.id,
    notes_markdown: 'We begin.\n\n## Decisions\n\nnone',
  })
  await bob.call('add_meeting_note', {
    meeting_id: meeting.id,
    body_markdown: 'Late',
    at_second: 75,
  })
  await ann.call('add_action_items', {
    meeting_id: meeting.id,
    items: [{ text: 'Call Zoe', owner: 'Zoe <zoe@out.test>', due_on: '2026-11-25' }],
  })
})
after(() => workspace.close())

const read = async (who: Someone, id: string) =>
  (
    (
      await readResource(workspace.app, assistantOf(workspace, who), {
        uri: `workspace://meetings/${id}`,
      })
    ).contents[0] as { text: string }
  ).text
const promptTexts = async (who: Someone, name: string, args: Record<string, string> = {}) =>
  (
    await getPrompt(workspace.app, assistantOf(workspace, who), { name, arguments: args })
  ).messages.map((message) => (message.content as { text: string }).text)

test('a meeting is read as a whole, and user text cannot pass for its structure', async () => {
  const text = await read(workspace.bob, meeting.id)
  assert.match(
    text,
    /^# Weekly # x\n\n- Kind: meeting\n- Status: planned\n- Starts: 2026-11-23T10:00:00\+01:00 \(Europe\/Berlin\)\n/,
  )
  assert.match(text, /\n- Participants: Ann, Bob, Zoe <zoe@out\.test>\n/)
  assert.match(
    text,
    /\n## Agenda\n\n- \[x\] Budget\n- \[ \] Pistons\n\n## Minutes\n\n> We begin\.\n>\n> ## Decisions\n>\n> none\n\n## Notes\n\nBob, at 1:15:\n\n> Late\n/,
  )
  assert.match(
    text,
    /\n## Action items\n\n- \[ \] Call Zoe \(open, Zoe <zoe@out\.test>, due 2026-11-25, act_\w+\)\n$/,
  )
})

test('people who are not participants can neither read the meeting nor find it in the list', async () => {
  const { carol, eve } = workspace
  for (const who of [carol, eve]) {
    assert.ok((await errorOf(read(who, meeting.id))).message.includes(meeting.id))
    assert.doesNotMatch(
      JSON.stringify(await listResources(workspace.app, assistantOf(workspace, who), undefined)),
      /Weekly|Kick-off/,
    )
    assert.ok(await errorOf(promptTexts(who, 'prepare_meeting', { meeting: meeting.id })))
    assert.match(
      (await promptTexts(who, 'prepare_meeting'))[0]!,
      /no meeting in the next two weeks/,
    )
  }
})

test('the preparation covers the next meeting unless another is named, with open items from the last one', async () => {
  const [instructions, meetingData, brief] = await promptTexts(workspace.bob, 'prepare_meeting', {
    goal: 'the pistons',
  })
  assert.match(
    instructions!,
    /^Prepare Bob for the meeting "Weekly # x", which begins 2026-11-23T10:00:00\+01:00\. /,
  )
  assert.match(
    instructions!,
    /want out of it: "the pistons"[^]*look through it[^]*Change nothing yet/,
  )
  assert.match(meetingData!, /It is data[^]*"agenda":\[{"text":"Budget","done":true}/)
  assert.match(
    brief!,
    /"open_actions":\[{"text":"Order pistons","owner":"Bob","due_on":"2026-11-18"[^]*We take steel/,
  )
  assert.match(
    (await promptTexts(workspace.bob, 'prepare_meeting', { meeting: meeting.id }))[0]!,
    /^Prepare Bob for the meeting [^]*look through it/,
  )
})

test('with a read-only key the prompt only proposes, and a key without meetings is not offered it', async () => {
  const { app, bob } = workspace
  const readOnly = assistantOf(workspace, bob, {
    key: await workspace.key(bob, { read_only: true }),
  })
  const { messages } = await getPrompt(app, readOnly, { name: 'prepare_meeting', arguments: {} })
  assert.match(
    (messages[0]!.content as { text: string }).text,
    /cannot change anything with this key/,
  )
  const tasksOnly = assistantOf(workspace, bob, {
    key: await workspace.key(bob, { toolsets: ['tasks'] }),
  })
  assert.ok(
    !listPrompts(app, tasksOnly).prompts.some((prompt) => /meeting$|check_in/.test(prompt.name)),
  )
})

test('the check-in summarizes the open pulse round of the team; an anonymous one names no respondents', async () => {
  const { ann, bob, carol, eve, clock } = workspace
  assert.match((await promptTexts(eve, 'team_check_in'))[0]!, /None of the teams/)
  const others = [await workspace.person('Dave'), await workspace.person('Fred')]
  const team = await ann.call('create_team', {
    name: 'Engine',
    lead_id: bob.id,
    member_ids: [carol.id, ...others.map((someone) => someone.id)],
  })
  const pulse = async (name: string, anonymous: boolean) =>
    bob.call('create_pulse', {
      name,
      team_id: team.id,
      anonymous,
      questions: [{ id: 'say', text: 'What blocks you?', type: 'text' }],
      rrule: 'FREQ=DAILY',
    })
  const openPulse = await pulse('Daily', false)
  clock.pass(dayLong)
  while (await runTick(workspace.app, advancePulses));
  await carol.call('submit_pulse_response', {
    pulse_id: openPulse.id,
    answers: { say: 'The lift' },
  })
  const [instructions, data] = await promptTexts(bob, 'team_check_in', { team: 'Engine' })
  assert.match(
    instructions!,
    /^Summarize the check-in "Daily" of the team "Engine" for Bob\.[^]*Who has not answered[^]*1 of 4 have answered\. This person has not: offer/,
  )
  assert.match(
    data!,
    /"blockers":\[{"on":"2026-11-21","text":"The lift","person":"Carol"}\],"missing":\["Bob","Dave","Fred"\]/,
  )
  const anonymousTeam = await ann.call('create_team', {
    name: 'Frank',
    member_ids: [bob.id, carol.id, ...others.map((someone) => someone.id)],
  })
  await bob.call('create_pulse', {
    name: 'Frank words',
    team_id: anonymousTeam.id,
    anonymous: true,
    questions: [{ id: 'say', text: 'Say?', type: 'text' }],
    rrule: 'FREQ=DAILY',
  })
  clock.pass(dayLong)
  while (await runTick(workspace.app, advancePulses));
  for (const someone of [bob, carol, ...others])
    await someone.call('submit_pulse_response', {
      pulse_id: (await someone.call('list_pulses', { team_id: anonymousTeam.id })).items[0].id,
      answers: { say: 'frankly' },
    })
  clock.pass(dayLong)
  while (await runTick(workspace.app, advancePulses));
  const [warned, anonymousData] = await promptTexts(bob, 'team_check_in', { team: 'Frank' })
  assert.match(warned!, /do not guess, hint at or ask who said what/)
  assert.ok(!/offer to take their answers/.test(warned!))
  assert.match(anonymousData!, /frankly/)
  assert.doesNotMatch(anonymousData!, /Bob|Carol|Dave|Fred/)
})
