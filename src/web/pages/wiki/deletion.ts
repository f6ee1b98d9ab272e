import { call } from '../../api/client.ts'
import { write } from '../../store/index.ts'
import { t } from '../../texts/index.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { confirm, notifyProblem } from '../../ui/confirm.tsx'

const { deletion: texts } = wiki

/** Moves a page to the trash, asking first if it has subpages; returns whether it succeeded. */
export async function deletePage({ id, title }: { id: string; title: string }): Promise<boolean> {
  if (!(await confirmDeletion(id, title))) return false
  const result = await write(
    'delete_page',
    { page_id: id },
    { text: t.tasks.changed(title, t.tasks.set.deleted) },
  )
  return result.state === 'done'
}

async function confirmDeletion(id: string, title: string): Promise<boolean> {
  try {
    const { also_deleted } = await call('delete_page', { page_id: id, dry_run: true })
    const subpageCount = also_deleted.reduce((sum, { count }) => sum + count, 0)
    if (subpageCount === 0) return true
    return await confirm({
      title: texts.title(title),
      text: texts.below(subpageCount),
      action: texts.action,
    })
  } catch (error) {
    notifyProblem(error)
    return false
  }
}
