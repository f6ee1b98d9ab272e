import { z } from 'zod'
import { hidePresence, peopleHidingPresence } from './setting.ts'
import { endpoint, recordChange, type ServerEndpoint } from '../web/endpoint.ts'
import { visibleItems } from './visible-items.ts'

const id = z.string().min(1).max(80)
const maxItems = 20

/** Rate limit for all tabs of a stream together. */
const quota = { perMinute: 240, burst: 4 }

const Setting = z.strictObject({ is_shown: z.boolean() })

const lookAt = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/events/:stream',
  name: 'look_at_items',
  about:
    'reports what a browser tab shows: others who view the same items, and may see them, receive `presence` on their streams. `stream` is the one that `ready` of `GET /web/events` named. Returns the accepted `items`, without those that do not exist or that you cannot see. It holds for 30 seconds; no items: the tab is closed or hidden. At most 4 a second for each stream; no entry in the call log',
  input: {
    tab: z.string().min(1).max(60).describe('a random name'),
    items: z.array(id).max(maxItems).describe('ids, up to 20'),
    typing: id.optional().describe('the one of them at which the person is typing'),
    cursor: z
      .strictObject({ item: id, revision: z.int().min(1), at: z.int().min(0) })
      .optional()
      .describe('the text cursor in one of them: a position in the text of a revision'),
  },
  output: z.strictObject({ items: z.array(z.string()) }),
  logsItself: 'never',
  async handle({ tab, items, typing, cursor }, request) {
    const { presence, actor } = request
    const stream = request.params.stream ?? ''
    presence.requireStreamOf(stream, actor)
    request.spend(`presence ${stream}`, quota)
    const visible = [...(await request.read((ctx) => visibleItems(ctx, items)))]
    presence.reportView(stream, {
      tab,
      items: visible,
      typing: typing !== undefined && visible.includes(typing) ? typing : undefined,
      cursor: cursor && visible.includes(cursor.item) ? cursor : undefined,
    })
    return { items: visible }
  },
})

const readSetting = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/presence',
  name: 'read_presence_setting',
  about: 'whether others may see what you look at and where you type',
  output: Setting,
  handle: async (_, { app, actor }) => ({
    is_shown: !(await peopleHidingPresence(app.store, [actor.id])).has(actor.id),
  }),
})

const changeSetting = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/presence',
  name: 'change_presence_setting',
  about: 'changes that setting; others are not notified',
  input: { is_shown: z.boolean() },
  output: Setting,
  logsItself: 'success',
  async handle({ is_shown }, request) {
    const { app, actor, presence } = request
    await app.store.writer.run(async () => {
      await app.keys.recheck(actor)
      await hidePresence(app.store, actor.id, !is_shown)
      await recordChange(request, { is_shown })
    })
    presence.visibilityChanged(actor.id)
    return { is_shown }
  },
})

export const presenceEndpoints: readonly ServerEndpoint[] = [lookAt, readSetting, changeSetting]
