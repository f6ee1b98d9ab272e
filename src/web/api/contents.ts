import { call } from './client.ts'

/**
 * Where the content of a file, or of a version of it, can be fetched for ten minutes. It is an address of the server that this page came
 * from: the workspace may be known by another name.
 */
export async function contentPath(
  file_id: string,
  version_id?: string,
  signal?: AbortSignal,
): Promise<string> {
  const { download_url } = await call(
    'get_file_content',
    { file_id, format: 'link', ...(version_id !== undefined && { version_id }) },
    signal,
  )
  return new URL(download_url!).pathname
}
