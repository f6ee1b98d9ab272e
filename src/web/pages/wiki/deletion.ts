import { call } from '../../api/client.ts'
import { write } from '../../store/index.ts'
import { t } from '../../texts/index.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { confirm, notifyProblem } from '../../ui/confirm.tsx'

const { deletion: words } = wiki

/** Moves a page to the trash, asking first if it has subpages; returns whether it worked. */
export async function deletePage({ id, title }: { id: string; title: string }): Promise<boolean> {
  if (!(await isMeant(id, title))) return false
  const written = await write(
    'delete_page',
    { page_id: id },
    { text: t.tasks.changed(title, t.tasks.set.deleted) },
  )
  return written.state === 'done'
}

async function isMeant(id: string, title: string): Promise<boolean> {
  try {
    const { also_deleted } = await call('delete_page', { page_id: id, dry_run: true })
    const below = also_deleted.reduce((sum, { count }) => sum + count, 0)
    if (below === 0) return true
    return await confirm({
      title: words.title(title),
      text: words.below(below),
      action: words.action,
    })
  } catch (error) {
    notifyProblem(error)
    return false
  }
}
