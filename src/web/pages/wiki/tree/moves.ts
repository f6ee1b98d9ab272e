import { call, type Input } from '../../../api/client.ts'
import { write } from '../../../store/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { confirm, notifyProblem } from '../../../ui/confirm.tsx'
import type { TreePlace } from './lines.ts'
import type { PageNode } from './nodes.ts'
import { treeChanged } from './reading.ts'

/** Moves a page. If that changes people's access, lists them and asks for confirmation first. */
export async function movePage(node: PageNode, { parent, after }: TreePlace): Promise<void> {
  const to = {
    page_id: node.id,
    parent_id: parent?.id ?? null,
    after_page_id: after?.id ?? null,
  }
  if (parent?.id !== node.parent?.id && !(await isAgreed(node, to))) return
  await write('move_page', to, { text: wiki.tree.moved(node.title) })
  await treeChanged()
}

/** True if access does not change, or the person has confirmed the change. */
async function isAgreed(node: PageNode, to: Input<'move_page'>): Promise<boolean> {
  try {
    const { readers } = await call('move_page', { ...to, dry_run: true })
    const { gained, lost } = readers ?? { gained: [], lost: [] }
    if (gained.length + lost.length === 0) return true
    const names = (people: readonly { title: string }[]) => people.map(({ title }) => title)
    return await confirm({
      title: wiki.tree.moveTitle(node.title),
      text: wiki.tree.readers(names(gained), names(lost)),
      action: wiki.tree.move,
      isDangerous: false,
    })
  } catch (error) {
    notifyProblem(error)
    return false
  }
}
