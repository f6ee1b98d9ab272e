import { call, type Output } from '../../../api/client.ts'
import { knowledgeTexts } from '../../../texts/en/company/knowledge.ts'
import { t } from '../../../texts/index.ts'
import { confirm, notifyProblem } from '../../../ui/confirm.tsx'
import { changeGraph } from './data.ts'
import type { Entry } from './EntryForm.tsx'

const { merge: words, fields } = knowledgeTexts

/** Merges a duplicate into the entity, after showing what will be moved. */
export const mergeInto = (entity: Output<'get_entity'>): Entry => ({
  title: words.title,
  action: words.preview,
  fields: [{ name: 'duplicate', label: fields.duplicate, kind: 'entity', isRequired: true }],
  submit: ({ duplicate = '' }) => void confirmAndMerge(entity, duplicate),
})

async function confirmAndMerge(entity: Output<'get_entity'>, duplicate: string): Promise<void> {
  const input = { entity_id: entity.id, duplicate_ids: [duplicate] }
  try {
    const { moved, merged } = await call('merge_entities', { ...input, dry_run: true })
    const ids = merged.map(({ id }) => id)
    const isConfirmed = await confirm({
      title: words.ask(merged.map(({ title }) => title).join(', ')),
      text: words.text(moved.facts, moved.relations, moved.observations, entity.name),
      action: words.confirm,
    })
    if (!isConfirmed) return
    await changeGraph(
      'merge_entities',
      { ...input, duplicate_ids: ids },
      t.tasks.changed(entity.name, words.merged),
    )
  } catch (error) {
    notifyProblem(error)
  }
}
