// Random rights on random items, granted and revoked at random; then everyone runs every search. Results are compared
// with visibility rules in this file, independent of the program and its database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { plantEmail, plantMailbox, type PlantedMailbox } from '../../../testing/mail/mailboxes.ts'

let workspace: TestWorkspace
let people: Someone[]
let guest: Someone
let mailboxes: Map<Someone, PlantedMailbox>
before(async () => {
  workspace = await makeWorkspace()
  guest = await workspace.person('Gil', { role: 'guest' })
  people = [workspace.ann, workspace.bob, workspace.carol, guest]
  mailboxes = new Map()
  for (const who of people)
    mailboxes.set(
      who,
      await plantMailbox(
        workspace.app.store,
        { id: who.id, org_id: who.actor.org_id, email: who.actor.email },
        workspace.clock.now(),
      ),
    )
})
after(() => workspace.close())

/** An item with a unique word; its visibility follows from this record. */
interface TestItem {
  id: string
  word: string
  kind: string
  by: Someone
  /** In addition to its owner. */
  readers: Set<Someone>
  isGone: boolean
  grant?(who: Someone): Promise<unknown>
  revoke?(who: Someone): Promise<unknown>
  trash?(): Promise<unknown>
}

const topic = 'harbour dredging schedule'
let count = 0
const canSee = (who: Someone, { by, readers, isGone }: TestItem) =>
  !isGone && (by === who || readers.has(who))
const colleagues = () => people.filter((person) => person !== guest)

type Maker = (
  by: Someone,
  word: string,
  isOpen: boolean,
) => Promise<Omit<TestItem, 'word' | 'kind' | 'by' | 'isGone'> & { by?: Someone }>

async function project(by: Someone): Promise<string> {
  return (await by.call('create_project', { name: `Project ${++count}`, key: `P${count}` })).id
}

const makers: Record<string, Maker> = {
  async page(by, word, isOpen) {
    const { id } = await by.call('create_page', {
      title: `Page ${word}`,
      visibility: isOpen && by !== guest ? 'organization' : 'private',
      body_markdown: `${topic} ${word}`,
    })
    const open = isOpen && by !== guest ? colleagues() : []
    return {
      id,
      readers: new Set(open),
      grant: (who) => by.call('share_page', { page_id: id, person_id: who.id, role: 'viewer' }),
      revoke: (who) =>
        open.includes(who)
          ? Promise.reject(new Error('open'))
          : by.call('unshare_page', { page_id: id, person_id: who.id }),
      trash: () => by.call('delete_page', { page_id: id }),
    }
  },
  async task(by, word) {
    const owner = by === guest ? workspace.ann : by
    const projectId = await project(owner)
    if (owner !== by)
      await owner.call('add_project_member', { project_id: projectId, person_id: by.id })
    const task = await by.call('create_task', {
      project_id: projectId,
      title: `Task ${word}`,
      description_markdown: topic,
    })
    await by.call('add_task_comment', { task_id: task.id, body_markdown: `${topic} ${word}` })
    return {
      id: task.id,
      readers: new Set([owner]),
      grant: (who) =>
        owner.call('add_project_member', { project_id: projectId, person_id: who.id }),
      revoke: (who) =>
        owner.call('remove_project_member', { project_id: projectId, person_id: who.id }),
      trash: () => by.call('delete_task', { task_id: task.id }),
    }
  },
  async message(by, word) {
    const owner = by === guest ? workspace.ann : by
    const channel = await owner.call('create_channel', {
      name: `room-${++count}`,
      kind: 'private',
      ...(owner === by ? {} : { member_ids: [by.id] }),
    })
    const message = await by.call('send_message', {
      channel_id: channel.id,
      body_markdown: `${topic} ${word}`,
    })
    return {
      id: message.id,
      readers: new Set([owner]),
      grant: (who) =>
        owner.call('add_channel_members', { channel_id: channel.id, person_ids: [who.id] }),
      revoke: (who) =>
        owner.call('remove_channel_member', { channel_id: channel.id, person_id: who.id }),
      trash: () => by.call('delete_message', { message_id: message.id }),
    }
  },
  async meeting(by, word, isOpen) {
    const meeting = await by.call('create_meeting', {
      title: `Meeting ${word}`,
      agenda: [topic],
      visibility: isOpen ? 'organization' : 'participants',
    })
    await by.call('add_meeting_note', { meeting_id: meeting.id, body_markdown: `${topic} ${word}` })
    await by.call('import_transcript', {
      meeting_id: meeting.id,
      content: `WEBVTT\n\n00:00:01.000 --> 00:00:05.000\n<v Bob>${topic} ${word}</v>\n`,
    })
    return {
      id: meeting.id,
      readers: new Set(isOpen ? people : []),
      trash: () => by.call('delete_meeting', { meeting_id: meeting.id }),
    }
  },
  async decision(by, word) {
    const meeting = await by.call('create_meeting', {
      title: `About ${++count}`,
      visibility: 'participants',
    })
    return {
      id: (
        await by.call('record_decision', {
          meeting_id: meeting.id,
          title: `Decision ${word}`,
          decision_markdown: topic,
        })
      ).id,
      readers: new Set(),
    }
  },
  async incident(by, word, isOpen) {
    const who = by === guest ? workspace.bob : by
    const { id } = await who.call('create_incident', {
      title: `Incident ${word}`,
      severity: 'sev3',
      summary_markdown: topic,
      restricted: !isOpen,
    })
    return { id, by: who, readers: new Set(isOpen ? people : [workspace.ann]) }
  },
  async file(by, word) {
    const { id } = await by.call('upload_file', {
      name: `${word}.txt`,
      content_text: `${topic} ${word}`,
      mime_type: 'text/plain',
    })
    const shares = new Map<Someone, string>()
    return {
      id,
      readers: new Set(),
      grant: async (who) =>
        shares.set(
          who,
          (await by.call('share_file', { file_id: id, person_id: who.id, role: 'viewer' })).id,
        ),
      revoke: (who) => by.call('revoke_share', { share_id: shares.get(who)! }),
      trash: () => by.call('trash_file', { file_id: id }),
    }
  },
  async goal(by, word) {
    const { id } = await by.call('create_goal', {
      title: `Goal ${word}`,
      description_markdown: topic,
      level: 'personal',
      period: '2026-Q4',
    })
    return { id, readers: new Set(), trash: () => by.call('delete_goal', { goal_id: id }) }
  },
  async project(by, word) {
    const owner = by === guest ? workspace.ann : by
    const { id } = await owner.call('create_project', {
      name: `Project ${word}`,
      key: `W${++count}`,
      description_markdown: topic,
    })
    if (owner !== by) await owner.call('add_project_member', { project_id: id, person_id: by.id })
    return {
      id,
      readers: new Set([owner]),
      grant: (who) => owner.call('add_project_member', { project_id: id, person_id: who.id }),
      revoke: (who) => owner.call('remove_project_member', { project_id: id, person_id: who.id }),
    }
  },
  async event(by, word) {
    const { id } = await by.call('create_event', {
      title: `Event ${word}`,
      location: topic,
      starts_at: '2026-11-25T10:00',
      ends_at: '2026-11-25T11:00',
    })
    return { id, readers: new Set(), trash: () => by.call('delete_event', { event_id: id }) }
  },
  /** Readable by the form's creator and by administrators. */
  async form_response(by, word, isOpen) {
    const who = by === guest ? workspace.bob : by
    const fields = [{ id: 'name', label: 'Name', type: 'short_text' }]
    const visible = isOpen ? 'organization' : 'owner_only'
    const form = await who.call('create_form', {
      title: `Form ${++count}`,
      fields,
      settings: { responses_visible_to: visible },
    })
    await who.call('publish_form', { form_id: form.id })
    const { id } = await who.call('submit_form_response', {
      form_id: form.id,
      answers: { name: `${topic} ${word}` },
    })
    return { id, by: who, readers: new Set(isOpen ? colleagues() : [workspace.ann]) }
  },
  /** Contacts are visible to all except guests. */
  async contact(by, word) {
    const who = by === guest ? workspace.bob : by
    const { id } = await who.call('create_contact', { name: `Contact ${word}`, note: topic })
    return {
      id,
      by: who,
      readers: new Set(colleagues()),
      trash: () => who.call('delete_contact', { contact_id: id }),
    }
  },
  async email(by, word) {
    const mail = await plantEmail(
      mailboxes.get(by)!,
      { from: 'out@elsewhere.test', subject: `Mail ${word}`, text: `${topic} ${word}` },
      workspace.clock.now(),
    )
    return { id: mail.id, readers: new Set() }
  },
  /** Public statements are visible to all but guests; their source is not. */
  async source(by, word) {
    const who = by === guest ? workspace.carol : by
    const { id } = await who.call('create_page', {
      title: `Source ${word}`,
      visibility: 'private',
      body_markdown: `${topic} ${word}`,
    })
    const entity = await who.call('create_entity', { name: `Dredger ${++count}`, type: 'ship' })
    await who.call('add_fact', {
      entity_id: entity.id,
      predicate: 'sails',
      value: topic,
      source_item_id: id,
    })
    return {
      id,
      by: who,
      readers: new Set(),
      grant: (other) =>
        who.call('share_page', { page_id: id, person_id: other.id, role: 'viewer' }),
      revoke: (other) => who.call('unshare_page', { page_id: id, person_id: other.id }),
    }
  },
}

/** Every query by words, by a visible item, or without input. */
async function answersOf(
  who: Someone,
  words: string,
  seen: readonly TestItem[],
): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  const ask = async (tool: string, args: Record<string, unknown>) => {
    const { properties = {} } = workspace.app.catalogue.requireEntry(tool).schemas
      .input as unknown as {
      properties?: Record<string, unknown>
    }
    const paged = 'limit' in properties ? { limit: 100 } : {}
    const answer = await who.call(tool, { ...paged, ...args }).catch((error: { code?: string }) => {
      if (error.code === undefined) throw error
      return { refused: error.code }
    })
    answers.set(`${tool} ${JSON.stringify(args)}`, JSON.stringify(answer).replaceAll(words, ''))
  }
  for (const { operation, schemas } of workspace.app.catalogue.entries) {
    if (operation.kind !== 'read') continue
    const { properties = {}, required = [] } = schemas.input as unknown as {
      properties?: Record<string, { enum?: string[] }>
      required?: string[]
    }
    const queryField = ['query', 'topic', 'text'].find((name) => name in properties)
    const modes = properties.mode?.enum?.includes('semantic')
      ? ['keyword', 'semantic', 'hybrid']
      : [undefined]
    if (queryField && required.every((name) => name === queryField))
      for (const mode of modes)
        await ask(operation.name, { [queryField]: words, ...(mode ? { mode } : {}) })
    else if (required.length === 0) await ask(operation.name, {})
    for (const { id, kind } of seen) {
      const idArgument = ['item_id', `${kind}_id`].find(
        (name) => name in properties && required.every((other) => other === name),
      )
      if (idArgument) await ask(operation.name, { [idArgument]: id })
    }
  }
  return answers
}

test('after any sequence of grants and revocations everybody finds what they can see now, and nothing reveals the rest', async () => {
  const things: TestItem[] = []
  const kinds = Object.keys(makers)
  const seed = Number(process.env.RIGHTS_SEED ?? 20261122)
  const numbers = fc.sample(fc.array(fc.nat(), { minLength: 1000, maxLength: 1000 }), {
    seed,
    numRuns: 1,
  })[0]!
  const pick = <T>(items: readonly T[]): T => items[numbers.pop()! % items.length]!
  const chance = (denominator: number) => numbers.pop()! % denominator === 0
  for (const kind of [...kinds, ...kinds]) {
    const [by, word] = [pick(people), `qz${things.length.toString(36)}vux`]
    things.push({
      by,
      ...(await makers[kind]!(by, word, chance(2))),
      word,
      kind: kind === 'source' ? 'page' : kind,
      isGone: false,
    })
  }
  await workspace.app.searchEngine.maintain()
  for (let round = 0; round < 2; round++) {
    for (const thing of things) {
      if (thing.isGone) continue
      const who = pick(people)
      if (thing.grant && thing.revoke && who !== thing.by) {
        if (!thing.readers.has(who)) {
          await thing.grant(who)
          thing.readers.add(who)
        } else if (chance(2))
          await thing.revoke(who).then(
            () => thing.readers.delete(who),
            () => {},
          ) // a lead cannot be removed, nor access to an open item
      }
      if (thing.trash && chance(8)) {
        await thing.trash()
        thing.isGone = true
      }
    }
    if (round === 0) await workspace.app.searchEngine.maintain() // so that items deleted in the next round have vectors
    for (const who of people) {
      const seen = things.filter((thing) => canSee(who, thing))
      const answers = await answersOf(who, topic, round === 1 ? seen : [])
      for (const [question, answer] of answers) {
        for (const thing of things) {
          if (canSee(who, thing) || question.startsWith('list_trash') || isInOwnLog(who, thing))
            continue
          const traces = question.startsWith('list_changes') ? [thing.word] : [thing.word, thing.id] // gained and lost access is reported, without a title
          for (const trace of traces)
            assert.ok(
              !answer.includes(trace),
              `seed ${seed}, round ${round}: ${who.actor.display_name} asked ${question} and was told ${trace} of a ${thing.kind} of ${thing.by.actor.display_name}: ${excerpt(answer, trace)}`,
            )
        }
      }
      for (const thing of things)
        await assertFoundByReadersOnly(
          who,
          thing,
          `seed ${seed}, round ${round}: ${who.actor.display_name}, ${thing.kind} of ${thing.by.actor.display_name}`,
        )
    }
  }
})

/** People's own actions stay in their log, even if the item is deleted. */
const isInOwnLog = (who: Someone, { by, readers, isGone }: TestItem) =>
  isGone && (by === who || readers.has(who))

const excerpt = (answer: string, received: string) =>
  answer.slice(Math.max(0, answer.indexOf(received) - 300), answer.indexOf(received) + 100)

const finders: Record<string, string> = {
  page: 'search_pages',
  task: 'search_tasks',
  message: 'search_messages',
  meeting: 'search_transcripts',
  file: 'search_files',
  email: 'search_emails',
}

/** Its unique word finds an item for those who see it; for others the word behaves like one never used. */
async function assertFoundByReadersOnly(
  who: Someone,
  thing: TestItem,
  message: string,
): Promise<void> {
  const ask = async (query: string) => {
    const answers = [
      await who.call('search_workspace', { query }),
      ...(finders[thing.kind] ? [await who.call(finders[thing.kind]!, { query })] : []),
      await who.call('find_experts', { topic: query }),
      await who.call('find_related_items', { text: query }),
      await who.call('list_incidents', { query }),
      await who.call('list_decisions', { query }),
    ]
    return JSON.stringify(answers).replaceAll(query, '')
  }
  const answer = await ask(thing.word)
  if (!canSee(who, thing)) assert.equal(answer, await ask('qznothingvux'), message)
  else {
    const { items } = await who.call('search_workspace', { query: thing.word, types: [thing.kind] })
    assert.ok(
      items.some((hit: any) => hit.item.id === thing.id && hit.matched_by.includes('keyword')),
      `${message}: is not found by its kind`,
    )
    assert.ok(answer.includes(thing.id), `${message}: is not found`)
  }
}
