import { call, type Input } from '../../../api/client.ts'
import { write } from '../../../store/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { confirm, notifyProblem } from '../../../ui/confirm.tsx'
import type { TreePosition } from './lines.ts'
import type { PageNode } from './nodes.ts'
import { reloadPageTree } from './reading.ts'

/** Moves a page. If that changes people's access, lists them and asks for confirmation first. */
export async function movePage(node: PageNode, { parent, after }: TreePosition): Promise<void> {
  const input = {
    page_id: node.id,
    parent_id: parent?.id ?? null,
    after_page_id: after?.id ?? null,
  }
  if (parent?.id !== node.parent?.id && !(await confirmAccessChange(node, input))) return
  await write('move_page', input, { text: wiki.tree.moved(node.title) })
  await reloadPageTree()
}

/** True if access does not change, or the person has confirmed the change. */
async function confirmAccessChange(node: PageNode, input: Input<'move_page'>): Promise<boolean> {
  try {
    const { readers } = await call('move_page', { ...input, dry_run: true })
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
