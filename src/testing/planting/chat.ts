import { literals, type Planter } from './planter.ts'

/** A private channel with a thread, a reaction, a pin and a file, and a note to oneself. */
export const chat: Planter = {
  async plant(make, say, around) {
    const name = say('channel')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
    const channel = await make('create_channel', {
      name,
      kind: 'private',
      topic: say('topic'),
      purpose: say('purpose'),
      project_id: around.project![0],
    })
    const first = await make('send_message', {
      channel_id: channel.id,
      body_markdown: `${say('message')} @channel ${around.task![0]}`,
      ...(around.file ? { file_ids: [around.file[0]] } : {}),
    })
    const reply = await make('reply_to_message', {
      message_id: first.id,
      body_markdown: say('reply'),
    })
    await make('add_message_reaction', { message_id: first.id, emoji: 'tada' })
    await make('pin_message', { message_id: first.id })
    await make('update_message', { message_id: reply.id, body_markdown: say('edited reply') })
    const gone = await make('send_message', {
      channel_id: channel.id,
      body_markdown: say('deleted message'),
    })
    await make('delete_message', { message_id: gone.id })
    const note = await make('send_direct_message', {
      person_ids: ['me'],
      body_markdown: say('note'),
    })
    return {
      channel: [channel.id, `#${name}`, note.channel.id],
      message: [first.id, reply.id, gone.id, note.id],
    }
  },
  rows(planted) {
    const channels = literals(planted.channel)
    const messages = `message_id IN (${literals(planted.message)})`
    return {
      channels: `id IN (${channels})`,
      channel_members: `channel_id IN (${channels})`,
      channel_reads: `channel_id IN (${channels})`,
      messages: `channel_id IN (${channels})`,
      message_mentions: messages,
      message_reactions: messages,
      message_files: messages,
      message_pins: messages,
    }
  },
}
