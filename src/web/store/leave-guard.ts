/**
 * Has the browser ask before this page of it goes while something is not sent: what waits is on the
 * disk, but it is sent only while a tab is open. Returns what ends it.
 */
export function askBeforeLeaving(isUnsent: () => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (isUnsent()) event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}
