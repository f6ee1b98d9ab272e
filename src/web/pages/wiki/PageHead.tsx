import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type Ref } from 'react'
import { call } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { useCommands } from '../../keys/commands.ts'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { useSignedIn } from '../../session/session.ts'
import { write } from '../../store/index.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { RouterLink } from '../../ui/AppLink.tsx'
import { operationTextSource } from '../../ui/conflicts/text-merge.ts'
import { TitleInput } from '../../ui/work/texts.tsx'
import { deleteDrafts, readDrafts } from './drafts.ts'

/** Whether the text of a page is being edited. Initially true if this browser has a draft of it. */
export function useEditing(pageId: string, canEdit: boolean) {
  const { person } = useSignedIn()
  const [isOpen, setOpen] = useState(false)
  const wasOpen = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    let isMounted = true
    if (canEdit)
      void readDrafts(person.id, pageId).then(({ length }) => {
        if (length > 0 && isMounted) setOpen(true)
      })
    return () => {
      isMounted = false
    }
  }, [person.id, pageId, canEdit])
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const open = () => setOpen(true)
  useCommands({ 'page.edit': canEdit && !isOpen ? open : undefined })
  return { isOpen: isOpen && canEdit, button, open, close: () => setOpen(false) }
}

/** Deletes local drafts of a page that the person can no longer see. */
export function useDraftCleanup(pageId: string, isInaccessible: boolean): void {
  const { person } = useSignedIn()
  useEffect(() => {
    if (!isInaccessible) return
    void deleteDrafts(person.id, pageId)
    queries.removeQueries({
      type: 'inactive',
      predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(`"${pageId}"`),
    })
  }, [person.id, pageId, isInaccessible])
}

export function EditButton({ ref, open }: { ref: Ref<HTMLButtonElement>; open: () => void }) {
  return (
    <Button
      ref={ref}
      size="xs"
      variant="default"
      onClick={open}
      rightSection={<KeyCombo command="page.edit" />}
    >
      {wiki.edit}
    </Button>
  )
}

/** Opens the versions of a page. */
export function VersionsButton({ pageId }: { pageId: string }) {
  const navigate = useNavigate()
  const to = `/pages/${pageId}/versions`
  useCommands({ 'page.versions': () => void navigate({ to }) })
  return (
    <Button
      component={RouterLink}
      to={to}
      size="xs"
      variant="subtle"
      rightSection={<KeyCombo command="page.versions" />}
    >
      {wiki.versions.title}
    </Button>
  )
}

/** The title of a page, edited in place. */
export function PageTitle({ page }: { page: TitledPage }) {
  const save = (title: string) =>
    void write(
      'update_page',
      { page_id: page.id, title },
      { rows: [{ type: 'page', id: page.id, set: { title } }], text: wiki.renamed(title) },
    )
  const source = operationTextSource({
    read: async () => {
      const { title: text, revision } = await call('get_page', { page_id: page.id })
      return { text, revision }
    },
    operation: 'update_page',
    input: (title, expected_revision) => ({
      page_id: page.id,
      expected_revision,
      ...(title !== null && { title }),
    }),
    row: (title) => ({ type: 'page', id: page.id, set: title === null ? {} : { title } }),
    description: wiki.renamed(page.title),
  })
  return (
    <TitleInput
      title={page.title}
      label={wiki.rename}
      save={save}
      mergeSource={{ revision: page.revision, source }}
    />
  )
}

interface TitledPage {
  id: string
  title: string
  revision: number
}
