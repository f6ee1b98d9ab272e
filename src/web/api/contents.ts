import { call } from './client.ts'

/**
 * Path from which the content of a file or version can be downloaded for ten minutes. It omits the host, because
 * this page may have been loaded under another host name than the configured one.
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
