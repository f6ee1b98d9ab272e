import { Badge } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import type { CommandId } from '../../../keys/keymap.ts'
import { knowledgeTexts as words } from '../../../texts/en/company/knowledge.ts'
import { t } from '../../../texts/index.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { PlainText } from '../../../ui/Outside.tsx'
import { DimmedText } from '../../items/Facts.tsx'
import { Loaded } from '../../items/Found.tsx'
import { ItemFrame } from '../../items/Frame.tsx'
import { ItemSection } from '../../items/Section.tsx'
import planning from '../../planning/planning.module.css'
import { changeGraph } from './data.ts'
import { editEntity, newFact, newNote, newRelation } from './entries.ts'
import { EntryDialog, type Entry } from './EntryForm.tsx'
import { EntityFacts } from './FactLines.tsx'
import styles from './knowledge.module.css'
import { mergeInto } from './merge.ts'
import { Notes } from './Notes.tsx'
import { Relations } from './graph/Relations.tsx'
import { EntityTimeline } from './EntityTimeline.tsx'

type Details = Output<'get_entity'>

/** Facts about a person or thing, editable in place. */
export function EntityPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const entityQuery = useOperation('get_entity', { entity_id: id, observation_limit: 100 })
  return <Loaded query={entityQuery}>{(entity) => <Dossier entity={entity} />}</Loaded>
}

function Dossier({ entity }: { entity: Details }) {
  const [entry, setEntry] = useState<Entry>()
  const navigate = useNavigate()
  useCommands({
    'entity.edit': () => setEntry(editEntity(entity)),
    'entity.fact': () => setEntry(newFact(entity)),
    'entity.note': () => setEntry(newNote(entity)),
    'entity.relate': () => setEntry(newRelation(entity)),
    'entity.merge': () => setEntry(mergeInto(entity)),
    'entity.path': () => void navigate({ to: '/knowledge/path', search: { from: entity.id } }),
    'entity.delete': () => {
      void changeGraph(
        'delete_entity',
        { entity_id: entity.id },
        t.tasks.changed(entity.name, words.removed),
      )
      void navigate({ to: '/knowledge' })
    },
  })
  return (
    <ItemFrame
      type="entity"
      title={entity.name}
      item={entity}
      id={entity.id}
      status={
        <Badge variant="light" tt="none">
          {t.items.word(entity.type)}
        </Badge>
      }
    >
      <Buttons />
      {entity.description && <PlainText text={entity.description} />}
      <Facts
        facts={[
          [t.items.entity.aliases, entity.aliases.join(', ')],
          [t.items.entity.item, entity.item && <ItemLink item={entity.item} />],
        ]}
      />
      <ItemSection title={t.items.entity.facts}>
        <EntityFacts entityId={entity.id} ask={setEntry} />
      </ItemSection>
      <ItemSection title={t.items.entity.relations}>
        <Relations entityId={entity.id} ask={setEntry} />
      </ItemSection>
      <ItemSection title={t.items.entity.observations}>
        {entity.observations.length === 0 && <DimmedText>{words.note.none}</DimmedText>}
        <Notes entity={entity} />
      </ItemSection>
      <EntityTimeline entityId={entity.id} />
      <EntryDialog entry={entry} close={() => setEntry(undefined)} />
    </ItemFrame>
  )
}

const buttons: readonly (readonly [CommandId, string])[] = [
  ['entity.fact', words.fact.add],
  ['entity.relate', words.relation.add],
  ['entity.note', words.note.add],
  ['entity.edit', words.edit],
  ['entity.path', words.path.action],
  ['entity.merge', words.merge.action],
  ['entity.delete', words.remove],
]

function Buttons() {
  return (
    <div className={styles.buttons}>
      {buttons.map(([command, label]) => (
        <button
          key={command}
          type="button"
          className={planning.button}
          onClick={() => runCommand(command)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
