import { literals, type Planter } from './planter.ts'

/** The graph is the organization's: nothing of it is hidden from colleagues. A link is for those who see both of its ends. */
export const knowledge: Planter = {
  async plant(make, say, around) {
    const link = await make('link_items', {
      from_id: around.task![0],
      to_id: around.page![0],
      kind: 'documents',
      note: say('link'),
    })
    return { link: [link.id] }
  },
  async open(make, say) {
    const entity = await make('create_entity', {
      name: say('entity'),
      type: 'topic',
      aliases: [say('other name')],
      description: say('about it'),
      observations: [say('note')],
    })
    const other = await make('create_entity', { name: say('other entity'), type: 'topic' })
    const merged = await make('create_entity', { name: say('double entity'), type: 'topic' })
    await make('merge_entities', { entity_id: other.id, duplicate_ids: [merged.id] })
    const gone = await make('create_entity', { name: say('trashed entity'), type: 'topic' })
    await make('delete_entity', { entity_id: gone.id })
    const relation = await make('create_relation', {
      from_entity_id: entity.id,
      type: 'part of',
      to_entity_id: other.id,
      note: say('relation'),
    })
    const fact = await make('add_fact', {
      entity_id: entity.id,
      predicate: 'says',
      value: say('fact'),
    })
    return {
      entity: [entity.id, other.id],
      relation: [relation.id],
      fact: [fact.id],
      observation: [entity.observations[0].id],
      merged_entity: [merged.id],
    }
  },
  rows: (planted) => ({ item_links: `id IN (${literals(planted.link)})` }),
}
