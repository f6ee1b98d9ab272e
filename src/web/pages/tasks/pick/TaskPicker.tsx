import { useEffect } from 'react'
import { fieldOnDemand, onDemand } from '../../../ui/on-demand.tsx'
import { closePreview, useOpenPreview } from '../preview/open.ts'
import { closePicker, useOpenPicker } from './open.ts'

const OpenTaskPicker = fieldOnDemand(() =>
  import('./OpenTaskPicker.tsx').then(({ OpenTaskPicker }) => OpenTaskPicker),
)
const ChangePreview = onDemand(() =>
  import('../preview/ChangePreview.tsx').then(({ ChangePreview }) => ChangePreview),
)

/** The open picker for a task field, and the preview of changes to many tasks. */
export function TaskPicker() {
  const picker = useOpenPicker()
  const preview = useOpenPreview()
  useEffect(() => closePicker, [])
  useEffect(() => closePreview, [])
  return (
    <>
      {picker && <OpenTaskPicker picker={picker} />}
      {preview && <ChangePreview preview={preview} />}
    </>
  )
}
