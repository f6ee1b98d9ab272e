import type { Output } from '../../../api/client.ts'
import { knowledgeTexts as words } from '../../../texts/en/company/knowledge.ts'
import { t } from '../../../texts/index.ts'
import { changeGraph } from './data.ts'
import type { EntryValues, Entry, EntryField } from './EntryForm.tsx'

type Details = Output<'get_entity'>
type Fact = Output<'list_facts'>['items'][number]
type Relation = Output<'get_entity_neighbors'>['edges'][number]

const { fields } = words
const entityFields: readonly EntryField[] = [
  { name: 'name', label: fields.name, isRequired: true },
  { name: 'type', label: fields.kind, isRequired: true, limit: 60 },
  { name: 'aliases', label: fields.aliases, limit: 5000 },
  { name: 'about', label: fields.about, kind: 'long', limit: 10_000 },
]

const splitNames = (text = '') =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** A named value, omitted if empty. */
const optional = <K extends string>(name: K, value: string | undefined) =>
  (value === undefined || value === '' ? {} : { [name]: value }) as Partial<Record<K, string>>

const describeEntityChange = (entity: { name: string }, message: string) =>
  t.tasks.changed(entity.name, message)

/** Creates an entity; `onCreated` receives its id, even if it already existed. */
export const newEntity = (onCreated: (id: string) => void): Entry => ({
  title: words.create,
  action: words.create,
  fields: entityFields,
  submit: ({ name = '', type = '', aliases, about }) =>
    void changeGraph(
      'create_entity',
      { name, type, aliases: splitNames(aliases), ...optional('description', about) },
      words.created(name),
    ).then((result) => {
      if (result.state === 'done' && result.value) onCreated(result.value.id)
    }),
})

/** Changes name, kind, aliases and description. */
export const editEntity = (entity: Details): Entry => ({
  title: words.edit,
  action: words.save,
  fields: entityFields,
  values: {
    name: entity.name,
    type: entity.type,
    aliases: entity.aliases.join(', '),
    about: entity.description ?? '',
  },
  submit: (entries) => void saveEntity(entity, entries),
})

async function saveEntity(entity: Details, entries: EntryValues): Promise<void> {
  const { name = '', type = '', aliases, about = '' } = entries
  const newAliases = splitNames(aliases)
  const oldAliases: readonly string[] = entity.aliases
  await changeGraph(
    'update_entity',
    {
      entity_id: entity.id,
      name,
      type,
      add_aliases: newAliases.filter((alias) => !oldAliases.includes(alias)),
      remove_aliases: oldAliases.filter((alias) => !newAliases.includes(alias)),
      description: about === '' ? null : about,
      expected_revision: entity.revision,
    },
    describeEntityChange(entity, words.changed),
  )
}

/** Adds a dated fact. */
export const newFact = (entity: Details): Entry => ({
  title: words.fact.title,
  action: words.fact.add,
  fields: [
    { name: 'predicate', label: fields.predicate, isRequired: true, limit: 100 },
    { name: 'value', label: fields.value, isRequired: true, limit: 2000 },
    { name: 'named', label: fields.valueEntity, kind: 'entity' },
    { name: 'from', label: fields.from, kind: 'date' },
    { name: 'source', label: fields.source },
  ],
  submit: ({ predicate = '', value = '', named, from, source }) =>
    void changeGraph(
      'add_fact',
      {
        entity_id: entity.id,
        predicate,
        value,
        ...optional('value_entity_id', named),
        ...optional('valid_from', from),
        ...optional('source_item_id', source),
      },
      describeEntityChange(entity, words.fact.added),
    ),
})

/** Sets when and why a fact ceased to be true. */
export const endFact = (fact: Fact): Entry => ({
  title: words.fact.endOf(`${t.items.word(fact.predicate)}: ${fact.value}`),
  action: words.save,
  fields: [
    { name: 'reason', label: fields.reason, limit: 1000 },
    { name: 'until', label: fields.until, kind: 'date' },
    { name: 'never', label: fields.never, kind: 'tick' },
  ],
  submit: ({ reason, until, never }) =>
    void changeGraph(
      'invalidate_fact',
      {
        fact_id: fact.id,
        ...optional('reason', reason),
        ...(never === 'yes' ? { never_true: true } : optional('valid_to', until)),
      },
      describeEntityChange({ name: fact.entity.title }, words.fact.ended),
    ),
})

/** Adds a note. */
export const newNote = (entity: Details): Entry => ({
  title: words.note.title,
  action: words.note.add,
  fields: [
    { name: 'body', label: fields.note, kind: 'long', isRequired: true, limit: 10_000 },
    { name: 'source', label: fields.source },
  ],
  submit: ({ body = '', source }) =>
    void changeGraph(
      'add_observation',
      { entity_id: entity.id, body, ...optional('source_item_id', source) },
      describeEntityChange(entity, words.note.added),
    ),
})

/** Relates the entity to another. */
export const newRelation = (entity: Details): Entry => ({
  title: words.relation.title,
  action: words.relation.add,
  fields: [
    { name: 'type', label: fields.relation, isRequired: true, limit: 60 },
    { name: 'to', label: fields.to, kind: 'entity', isRequired: true },
    { name: 'since', label: fields.since, kind: 'date' },
    { name: 'source', label: fields.source },
  ],
  submit: ({ type = '', to = '', since, source }) =>
    void changeGraph(
      'create_relation',
      {
        from_entity_id: entity.id,
        to_entity_id: to,
        type,
        ...optional('valid_from', since),
        ...optional('source_item_id', source),
      },
      describeEntityChange(entity, words.relation.added),
    ),
})

/** Ends a relation, or retracts it as wrong. */
export const endRelation = (relation: Relation): Entry => {
  const { from, type, to } = relation
  return {
    title: words.relation.endOf(`${from.title} ${t.items.word(type).toLowerCase()} ${to.title}`),
    action: words.save,
    fields: [
      { name: 'ended', label: fields.ended, kind: 'date' },
      { name: 'never', label: fields.neverHeld, kind: 'tick' },
    ],
    submit: ({ ended, never }) =>
      void changeGraph(
        'delete_relation',
        {
          relation_id: relation.id,
          ...(never === 'yes' ? { as_wrong: true } : optional('valid_to', ended)),
        },
        describeEntityChange({ name: from.title }, words.relation.ended),
      ),
  }
}
