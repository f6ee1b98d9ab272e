import { useOperation } from '../../../api/queries.ts'
import { Markdown } from '../../../ui/Markdown.tsx'
import { PlainText } from '../../../ui/Outside.tsx'
import { Loading, Problem } from '../../../ui/states.tsx'
import { TaskDetail } from '../../tasks/item/TaskDetail.tsx'
import { useTask } from '../../tasks/item/useTask.ts'
import { TaskPicker } from '../../tasks/pick/TaskPicker.tsx'
import { ItemContent } from '../kinds/Generic.tsx'
import { itemTitleOf, type Fields } from '../values.ts'
import styles from './peek.module.css'

interface Item {
  id: string
  type?: string | undefined
}

/** An item beside the screen that links to it: tasks are editable, others read-only. */
export function ItemView({ item }: { item: Item }) {
  if (item.type === 'task') return <TaskView id={item.id} />
  return <OtherItem item={item} />
}

function TaskView({ id }: { id: string }) {
  const { task, row, error, refetch } = useTask(id)
  if (!task || !row) return <LoadingOrProblem error={error} retry={() => void refetch()} />
  return (
    <div className={styles.view}>
      <div className={styles.task}>
        <TaskDetail key={task.id} task={task} row={row} isPeek />
        <TaskPicker />
      </div>
    </div>
  )
}

function LoadingOrProblem({ error, retry }: { error: Error | null; retry: () => void }) {
  return error ? <Problem error={error} retry={retry} /> : <Loading />
}

/** Fields rendered as text, and the position of the part that was loaded. */
const textFields = ['content', 'body_markdown', 'offset', 'next_offset', 'total_chars']

function OtherItem({ item }: { item: Item }) {
  const itemQuery = useOperation('get_item', { item_id: item.id })
  if (!itemQuery.data)
    return <LoadingOrProblem error={itemQuery.error} retry={() => void itemQuery.refetch()} />
  const fields = (itemQuery.data.item ?? itemQuery.data) as Fields
  return (
    <article className={styles.item}>
      <h2 dir="auto">{itemTitleOf(fields) ?? itemQuery.data.title}</h2>
      <Text item={fields} />
      <ItemContent item={fields} excludedFields={textFields} />
    </article>
  )
}

/** The text of a message or a page, before its facts. */
function Text({ item }: { item: Fields }) {
  const content = item.content as { text?: string; trust?: string } | undefined
  if (content?.text && content.trust === 'external')
    return <PlainText text={content.text} isOutside />
  const text = content?.text ?? (item.body_markdown as string | undefined)
  return text ? <Markdown text={text} parentLevel={2} /> : null
}
