import { useEffect } from 'react'
import type { Output } from '../../../api/client.ts'
import { invalidateOperations, useList } from '../../../api/queries.ts'

export type TaskTemplate = Output<'list_task_templates'>['items'][number]

/** All available templates, by name. */
export function useTemplates() {
  const templates = useList('list_task_templates', { limit: 100 })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = templates
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return templates
}

export const invalidateTemplates = () => invalidateOperations('list_task_templates')
