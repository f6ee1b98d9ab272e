import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { wiki } from '../../../texts/en/wiki.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import planning from '../../planning/planning.module.css'
import { reloadPageTree } from './reading.ts'

/** Parent of a new page; undefined at the top level. */
type Parent = { id: string; title: string } | undefined

interface NewPageProps {
  isOpen: boolean
  close: () => void
  parent: Parent
}

/** The form for a new page, which is then opened. */
export function NewPage({ isOpen, close, parent }: NewPageProps) {
  return (
    <Dialog
      isOpen={isOpen}
      close={close}
      title={parent ? wiki.tree.createBelow(parent.title) : wiki.tree.create}
    >
      <PageForm close={close} parent={parent} />
    </Dialog>
  )
}

function PageForm({ close, parent }: Omit<NewPageProps, 'isOpen'>) {
  const navigate = useNavigate()
  const templates = useOperation('list_pages', { kind: 'template', sort: 'title', limit: 100 })
  const [title, setTitle] = useState('')
  const [visibility, setVisibility] = useState<'private' | 'organization'>('private')
  const [template, setTemplate] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    close()
    const id = await createPage({ title: title.trim(), visibility, parent, template })
    if (id !== undefined) await navigate({ to: `/pages/${id}` })
  }
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <label>
        {wiki.rename}
        <input
          data-autofocus
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          required
          maxLength={500}
          dir="auto"
        />
      </label>
      <div className={planning.pair}>
        <label>
          {wiki.tree.visibility}
          <select
            value={visibility}
            onChange={(event) => setVisibility(event.currentTarget.value as typeof visibility)}
          >
            <option value="private">{wiki.tree.visibilities.private}</option>
            <option value="organization">{wiki.tree.visibilities.organization}</option>
          </select>
        </label>
        <label>
          {wiki.tree.template}
          <select value={template} onChange={(event) => setTemplate(event.currentTarget.value)}>
            <option value="">{wiki.tree.noTemplate}</option>
            {templates.data?.items.map((page) => (
              <option key={page.id} value={page.id}>
                {page.title}
              </option>
            ))}
          </select>
        </label>
      </div>
      <button type="submit" className={planning.primary} disabled={title.trim() === ''}>
        {wiki.tree.make}
      </button>
    </form>
  )
}

interface NewPageInput {
  title: string
  visibility: 'private' | 'organization'
  parent: Parent
  /** The id of the template; empty if none. */
  template: string
}

/** Creates a page; returns its id, or undefined if it was refused, which is reported on the screen. */
async function createPage({ title, visibility, parent, template }: NewPageInput) {
  const text = wiki.made(title)
  const input = { title, visibility, ...(parent && { parent_id: parent.id }) }
  const result = await (template === ''
    ? write('create_page', input, { text })
    : write('create_page_from_template', { ...input, page_id: template }, { text }))
  await reloadPageTree()
  return result.state === 'done' ? result.value?.id : undefined
}
