import { useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { emptyFilter } from '../filter/filter.ts'
import { useCustomFields } from '../filter/custom-choices.tsx'
import { searchOf, useView, viewOf } from '../list/view.ts'
import styles from '../tasks.module.css'
import { savedInput, searchIn, updateInput, useSavedViews } from './saved.ts'
import { ViewNameForm } from './ViewNameForm.tsx'
import { taskViewPath } from './ViewTabs.tsx'

const text = t.tasks.views
type SavedInput = NonNullable<ReturnType<typeof savedInput>>

/** Saves the view under a name. A changed saved view can be saved, saved as another, or reset. */
export function SaveView() {
  const { view, isFiltered, saved: id, change, open } = useView()
  const [isNaming, setNaming] = useState(false)
  const fields = useCustomFields()
  const here = taskViewPath(searchOf(view))
  const addressIn = (search: Record<string, unknown>) => taskViewPath(searchOf(viewOf(search)))
  const views = useSavedViews()
  const saved =
    views.find((item) => item.id === id) ?? views.find((item) => addressIn(item.search) === here)
  const isChanged = saved !== undefined && addressIn(saved.search) !== here
  const input = savedInput(view, (name) => fields.get(name)?.type)
  return (
    <>
      {isFiltered && (
        <PlainButton onClick={() => change({ filter: emptyFilter })}>
          {t.tasks.clearFilter}
        </PlainButton>
      )}
      {saved?.isOwn && !isChanged && <RemoveView id={saved.id} />}
      {isChanged && (
        <PlainButton onClick={() => open(viewOf(saved.search), saved.id)}>{text.reset}</PlainButton>
      )}
      {!input && <span className={styles.hint}>{text.cannotSave}</span>}
      {input && (isChanged || !saved) && (
        <button type="button" className={styles.button} onClick={() => setNaming(true)}>
          {saved ? text.saveAs : text.save}
        </button>
      )}
      {input && isChanged && saved.isOwn && <UpdateView id={saved.id} input={input} />}
      <Dialog isOpen={isNaming} close={() => setNaming(false)} title={text.save}>
        {input && (
          <ViewNameForm
            input={input}
            action={text.save}
            close={() => setNaming(false)}
            saved={(view) => open(viewOf(searchIn(view)), view.id)}
          />
        )}
      </Dialog>
    </>
  )
}

function PlainButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className={styles.button} data-plain onClick={onClick}>
      {children}
    </button>
  )
}

function RemoveView({ id }: { id: string }) {
  const { view, open } = useView()
  const remove = useCall('delete_saved_view', ['list_saved_views'])
  const done = { onSuccess: () => open(view, undefined), onError: notifyProblem }
  return (
    <PlainButton onClick={() => remove.mutate({ view_id: id }, done)}>{text.remove}</PlainButton>
  )
}

function UpdateView({ id, input }: { id: string; input: SavedInput }) {
  const { open } = useView()
  const update = useCall('update_saved_view', ['list_saved_views'])
  const save = () =>
    update.mutate(
      { view_id: id, ...updateInput(input) },
      { onSuccess: (saved) => open(viewOf(searchIn(saved)), id), onError: notifyProblem },
    )
  return (
    <button type="button" className={styles.primary} disabled={update.isPending} onClick={save}>
      {text.update}
    </button>
  )
}
