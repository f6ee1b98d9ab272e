import { useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { emptyFilter } from '../filter/filter.ts'
import { useCustomFields } from '../filter/custom-choices.tsx'
import { viewSearchParams, useView, parseView } from '../list/view.ts'
import styles from '../tasks.module.css'
import { savedInput, savedViewParams, updateInput, useSavedViews } from './saved.ts'
import { ViewNameForm } from './ViewNameForm.tsx'
import { taskViewPath } from './ViewTabs.tsx'

const texts = t.tasks.views
type SavedInput = NonNullable<ReturnType<typeof savedInput>>

/** Saves the view under a name. A changed saved view can be saved, saved as another, or reset. */
export function SaveView() {
  const { view, isFiltered, saved: id, change, open } = useView()
  const [isNaming, setNaming] = useState(false)
  const fields = useCustomFields()
  const currentPath = taskViewPath(viewSearchParams(view))
  const pathOf = (search: Record<string, unknown>) =>
    taskViewPath(viewSearchParams(parseView(search)))
  const views = useSavedViews()
  const savedView =
    views.find((item) => item.id === id) ??
    views.find((item) => pathOf(item.search) === currentPath)
  const isChanged = savedView !== undefined && pathOf(savedView.search) !== currentPath
  const input = savedInput(view, (name) => fields.get(name)?.type)
  return (
    <>
      {isFiltered && (
        <PlainButton onClick={() => change({ filter: emptyFilter })}>
          {t.tasks.clearFilter}
        </PlainButton>
      )}
      {savedView?.isOwn && !isChanged && <RemoveView id={savedView.id} />}
      {isChanged && (
        <PlainButton onClick={() => open(parseView(savedView.search), savedView.id)}>
          {texts.reset}
        </PlainButton>
      )}
      {!input && <span className={styles.hint}>{texts.cannotSave}</span>}
      {input && (isChanged || !savedView) && (
        <button type="button" className={styles.button} onClick={() => setNaming(true)}>
          {savedView ? texts.saveAs : texts.save}
        </button>
      )}
      {input && isChanged && savedView.isOwn && <UpdateView id={savedView.id} input={input} />}
      <Dialog isOpen={isNaming} close={() => setNaming(false)} title={texts.save}>
        {input && (
          <ViewNameForm
            input={input}
            action={texts.save}
            close={() => setNaming(false)}
            onSaved={(view) => open(parseView(savedViewParams(view)), view.id)}
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
  const callbacks = { onSuccess: () => open(view, undefined), onError: notifyProblem }
  return (
    <PlainButton onClick={() => remove.mutate({ view_id: id }, callbacks)}>
      {texts.remove}
    </PlainButton>
  )
}

function UpdateView({ id, input }: { id: string; input: SavedInput }) {
  const { open } = useView()
  const update = useCall('update_saved_view', ['list_saved_views'])
  const save = () =>
    update.mutate(
      { view_id: id, ...updateInput(input) },
      {
        onSuccess: (updatedView) => open(parseView(savedViewParams(updatedView)), id),
        onError: notifyProblem,
      },
    )
  return (
    <button type="button" className={styles.primary} disabled={update.isPending} onClick={save}>
      {texts.update}
    </button>
  )
}
